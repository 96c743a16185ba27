internal import AccessModel

/// The output of `devaccess check`: one line for the answer, and one for each attempt.
struct CheckText: Sendable {
  let explanation: Explanation
  let facts: AccessFacts
  let style: Style
  /// A Boolean value that indicates whether the device must also be free of other programs.
  var needsFree = false
  /// A Boolean value that indicates whether the requested kind precedes the path of the device.
  var namesKind = false

  private var answer: Answer { needsFree ? explanation.answerIfFree : explanation.answer }

  var text: String { line + "\n" + AttemptText(facts, style: style).text }

  /// The answer on one line, without a newline.
  var line: String {
    let word = style.paint(answer.rawValue, answer.tone)
    var object = style.safe(explanation.path, limit: 4096)
    if let kind = explanation.kind {
      if answer == .absent {
        object = style.safe(kind)
      } else if namesKind {
        object = "\(style.safe(kind)) \(object)"
      }
    }
    let request = RequestText(explanation: explanation, facts: facts)
    var line = "\(word): " + (answer == .absent ? object : request.phrase(object))
    if facts.origin != nil { line += " for " + SubjectText(facts: facts, style: style).origin }
    return line + (reason.map { " \(style.dash) \($0)" } ?? "")
  }

  /// The notes about an allowed device: its users, and checks that may still deny access.
  private var remarks: [String] {
    [
      OccupationText(explanation, style).remark,
      explanation.caveat,
    ].compactMap(\.self)
  }

  /// The reason why the device is not known to be free.
  private var obstacle: String {
    let use = OccupationText(explanation, style).text
    guard answer == .undetermined else { return use }
    return (use.isEmpty ? "" : "\(use); ") + "not every process could be inspected"
  }

  /// The cause of a refusal, the missing facts, or the notes about an allowed device.
  private var reason: String? {
    if explanation.answer == .allowed, answer != .allowed { return obstacle }
    return switch explanation.answer {
    case .allowed: remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    case .undetermined: explanation.unknown(style)
    case .refused, .absent:
      explanation.cause.map { style.safe($0.summary, limit: 512) }
        ?? explanation.decision.rule?.words ?? "the kernel refuses for a reason outside the model"
    }
  }
}

/// The results of opening devices, one line each.
struct AttemptText: Sendable {
  private let attempts: [Attempt]
  private let style: Style

  init(_ facts: AccessFacts, style: Style) {
    // The attempt on the control device is shown only if the question is about that device.
    attempts = facts.attempts.filter {
      $0.path != Attempt.controlPath || facts.access.request.path == Attempt.controlPath
    }
    self.style = style
  }

  /// The indented lines, such as `  tried /dev/video0: openat(2): ok`; empty without attempts.
  var text: String {
    lines.map { "  tried \($0)\n" }.joined()
  }

  /// One line for each attempt, such as `/dev/video0: openat(2) with O_RDWR|O_NONBLOCK: ok`.
  var lines: [String] { attempts.map(line) }

  private func line(_ attempt: Attempt) -> String {
    let call =
      attempt.operation == .stream ? "streaming" : "\(attempt.systemCall ?? "open")(2)"
    let flags = attempt.flags.map { flags in
      " with " + flags.map { "O_" + $0.rawValue }.sorted(by: >).joined(separator: "|")
    }
    let result =
      attempt.errno == 0
      ? style.paint("ok", .good) : style.paint(attempt.errno.name, .bad)
    return
      "\(style.safe(attempt.path, limit: 4096)): \(style.safe(call, limit: 40))\(flags ?? ""): \(result)"
  }
}
