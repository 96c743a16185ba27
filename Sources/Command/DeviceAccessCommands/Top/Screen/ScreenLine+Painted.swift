internal import TerminalScreen

extension ScreenTone {
  init(_ tone: Style.Tone?) {
    self =
      switch tone {
      case .good: .good
      case .bad: .bad
      case .unsure: .unsure
      case .heading: .heading
      case .faint: .faint
      case nil: .plain
      }
  }
}

extension ScreenLine {
  /// Creates a line from text that a ``Style`` with colors painted.
  ///
  /// Untrusted parts of the text are already escaped, so all its escape sequences come from
  /// ``Style/paint(_:_:)``.
  init(painted text: some StringProtocol) {
    self.init()
    var tone = ScreenTone.plain
    var piece = ""
    var sequence: String?
    for scalar in text.unicodeScalars {
      if scalar == "\u{1B}" {
        if !piece.isEmpty { spans.append(ScreenSpan(piece, tone)) }
        (piece, sequence) = ("", "")
      } else if let code = sequence {
        if scalar == "m" {
          tone = ScreenTone(Style.Tone.allCases.first { "[" + $0.code == code })
          sequence = nil
        } else {
          sequence = code + String(scalar)
        }
      } else {
        piece.unicodeScalars.append(scalar)
      }
    }
    if !piece.isEmpty { spans.append(ScreenSpan(piece, tone)) }
  }
}
