internal import AccessModel

/// The notes about what could not be observed.
struct TopNotes {
  private let design: TopDesign

  init(_ design: TopDesign) { self.design = design }

  /// The notes, one clause each, with the most important first.
  var all: [String] {
    let all = [failure, users].compactMap(\.self) + gaps
    return all.isEmpty && design.isRecorded ? ["a snapshot: nothing changes"] : all
  }

  private var failure: String? {
    design.failure.map { "\($0.message): the screen is out of date; r refreshes it" }
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
        ? "1 process" : unseen.count > 1 ? "\(unseen.count) processes" : "processes of other users"
      return "\(who) could not be inspected"
    }
    return unseen.reasons.contains(.outside)
      ? "processes outside this PID namespace are not visible" : nil
  }

  /// The missing event sources; if a reason affects several paths, the number of paths.
  private var gaps: [String] {
    var places: [Unobserved: [String]] = [:]
    var order: [Unobserved] = []
    for gap in design.gaps + design.usersGaps {
      let reason = Unobserved(gap.layer, reason: gap.reason)
      if places[reason] == nil { order.append(reason) }
      let known = places[reason, default: []]
      if let place = gap.at, !known.contains(place) {
        places[reason] = known + [place]
      } else {
        places[reason] = known
      }
    }
    let style = design.style
    return order.map { gap in
      let all = places[gap] ?? []
      let place =
        all.isEmpty ? "" : all.count == 1 ? " of \(style.safe(all[0]))" : " of \(all.count) paths"
      return "no \(style.safe(gap.layer))\(place) (\(style.safe(gap.reason))): "
        + "polling every second"
    }
  }
}
