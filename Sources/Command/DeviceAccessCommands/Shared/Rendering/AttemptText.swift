internal import AccessModel

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
