/// How a step came out, at a glance.
enum Mark: Sendable {
  case granted, denied, undecided, link

  /// One column wide.
  var symbol: String {
    switch self {
    case .granted: "✓"
    case .denied: "✗"
    case .undecided: "?"
    case .link: "→"
    }
  }

  /// Two columns of ASCII.
  var word: String {
    switch self {
    case .granted: "ok"
    case .denied: "NO"
    case .undecided: "??"
    case .link: "->"
    }
  }

  var tone: Style.Tone {
    switch self {
    case .granted: .good
    case .denied: .bad
    case .undecided: .unsure
    case .link: .faint
    }
  }
}
