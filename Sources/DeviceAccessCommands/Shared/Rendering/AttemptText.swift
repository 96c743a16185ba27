internal import AccessModel

/// What opening devices came to, one line each.
struct AttemptText: Sendable {
  private let attempts: [Attempt]
  private let style: Style

  init(_ facts: AccessFacts, style: Style) {
    // The control is no device that anybody asked about.
    attempts = facts.attempts.filter {
      $0.path != Attempt.controlPath || facts.access.request.path == Attempt.controlPath
    }
    self.style = style
  }

  /// Such as `  tried /dev/video0: openat(2) with NONBLOCK RDWR: ok`; empty when nothing was
  /// tried.
  var text: String {
    lines.map { "  tried \($0)\n" }.joined()
  }

  /// Such as `/dev/video0: openat(2) with NONBLOCK RDWR: ok`, for each attempt.
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
