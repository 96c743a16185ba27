internal import AccessModel

/// What could not be looked at, in words.
struct TopNotes {
  private let design: TopDesign

  init(_ design: TopDesign) { self.design = design }

  /// One clause each, what matters most first.
  var all: [String] {
    let all = [failure, users].compactMap(\.self) + gaps
    return all.isEmpty && design.isRecorded ? ["a recording: nothing changes"] : all
  }

  private var failure: String? {
    design.failure.map { "\($0.message): what is shown is old; r looks again" }
  }

  private var users: String? {
    if let failure = design.usersFailure { return failure.message }
    guard let use = design.use, use.devices.contains(where: { !$0.isToldByDriver }) else {
      return nil
    }
    let unseen = use.unseen
    if unseen.reasons.contains(.hidden) || unseen.count > 0 {
      let who =
        unseen.count == 1
        ? "1 process" : unseen.count > 1 ? "\(unseen.count) processes" : "processes of others"
      return "\(who) could not be looked into"
    }
    return unseen.reasons.contains(.outside)
      ? "processes outside of this PID namespace cannot be seen" : nil
  }

  private var gaps: [String] {
    design.gaps.map { gap in
      let style = design.style
      let place = gap.at.map { " of \(style.safe($0))" } ?? ""
      return "no \(style.safe(gap.layer))\(place) (\(style.safe(gap.reason))): "
        + "looking once a second"
    }
  }
}
