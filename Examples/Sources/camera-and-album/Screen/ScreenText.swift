import DevicePermissions

/// A design as lines of text.
struct ScreenText {
  let design: AppBlueprint.Design

  /// The screen from its first line to its last.
  var lines: [String] {
    let body =
      switch design.screen {
      case .splash: ["Camera and album"]
      case .permissions: Self.waiting
      case .preview: preview
      case .help: help
      }
    return body.map(Self.printable)
  }

  /// Why no picture can be taken, as one line; `nil` where nothing stands in the way.
  var complaint: String? {
    guard let kind = design.missing else { return nil }
    let fix = explanation.flatMap { $0.remedies.first }
    let how = fix.map { "; fix: " + ($0.commands.isEmpty ? $0.title : Self.typed($0)) } ?? ""
    return Self.printable("\(headline(kind))\(how)")
  }

  private static let waiting = ["Looking at the permissions…"]

  private var preview: [String] {
    let permissions = design.permissions
    return [
      "Camera: \(permissions.cameraReport?.path ?? "")",
      "Album: \(permissions.albumReport?.path ?? "")",
    ] + photo + ["take: take a picture, quit: leave"]
  }

  private var photo: [String] {
    switch design.photo {
    case .none: []
    case .taking: ["Taking a picture…"]
    case .saved(let picture): ["Saved \(picture.path), \(picture.width) × \(picture.height)"]
    case .failed(let reason): ["No picture: \(reason)"]
    }
  }

  private var help: [String] {
    guard let kind = design.missing else { return [] }
    // Nobody wants to read half of the help, and then all of it.
    if explanation == nil, design.device.failure == nil { return Self.waiting }
    var lines = [headline(kind)]
    if let fix = explanation?.remedies.first {
      lines.append("Fix: \(fix.title)")
      for step in fix.steps {
        let prompt = step.actor == .administrator ? "#" : "$"
        lines += step.commands.map { "\(prompt) \($0)" }
      }
    }
    return lines + ["This screen goes when the access comes. quit: leave"]
  }

  /// The explanation of what is missing; `nil` while it is that of something else.
  private var explanation: Explanation? {
    guard let explanation = design.device.explanation, let kind = design.missing,
      explanation.kind == kind.name, explanation.answer == report(of: kind)?.answer
    else { return nil }
    return explanation
  }

  private func report(of kind: DeviceKind) -> PermissionReport? {
    kind == .camera ? design.permissions.cameraReport : design.permissions.albumReport
  }

  /// The answer, the cause, and the rule that decided.
  private func headline(_ kind: DeviceKind) -> String {
    let report = report(of: kind)
    let cause = explanation?.cause?.summary ?? report?.reason
    let rule = explanation?.decision.rule.map { " (rule \($0.rawValue))" } ?? ""
    let answer = report?.answer.rawValue ?? Answer.undetermined.rawValue
    return "\(kind.name): \(answer)\(cause.map { ": \($0)" } ?? "")\(rule)"
  }

  private static func typed(_ remedy: Remedy) -> String {
    remedy.commands.joined(separator: " && ")
  }

  /// Text of the system without what a terminal would obey.
  static func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isObeyed = [.control, .format, .lineSeparator, .paragraphSeparator].contains(
        scalar.properties.generalCategory)
      result.unicodeScalars.append(isObeyed ? "\u{FFFD}" : scalar)
    }
    return result
  }
}
