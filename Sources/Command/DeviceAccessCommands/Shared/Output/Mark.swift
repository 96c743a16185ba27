/// A mark that shows the outcome of a step.
enum Mark: Sendable {
  case granted, denied, undecided, link

  /// The mark as a symbol, one column wide.
  var symbol: String {
    switch self {
    case .granted: "✓"
    case .denied: "✗"
    case .undecided: "?"
    case .link: "→"
    }
  }

  /// The mark in ASCII, two columns wide.
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
