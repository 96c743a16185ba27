/// One line of a screen.
package struct ScreenLine: Hashable, Sendable {
  package var spans: [ScreenSpan]
  /// Whether it is shown in reverse, in its whole width.
  package var isReversed: Bool

  package init(_ spans: [ScreenSpan] = [], isReversed: Bool = false) {
    self.spans = spans
    self.isReversed = isReversed
  }

  package init(_ text: String, _ tone: ScreenTone = .plain, isReversed: Bool = false) {
    self.init([ScreenSpan(text, tone)], isReversed: isReversed)
  }

  /// The text alone.
  package var text: String { spans.map(\.text).joined() }
  /// How many columns it takes.
  package var width: Int { spans.reduce(0) { $0 + TextWidth.of($1.text) } }

  /// The part that a window of some columns shows.
  ///
  /// Of a wide character at an edge a space is shown, and nothing is wider than the window.
  ///
  /// - Parameters:
  ///   - start: How many columns are left out on the left.
  ///   - columns: How many columns the window has.
  /// - Returns: The part, filled up to the whole width where the line is reversed.
  package func window(from start: Int = 0, columns: Int) -> ScreenLine {
    var line = ScreenLine(isReversed: isReversed)
    guard columns > 0 else { return line }
    var position = 0
    let end = start + columns
    for span in spans {
      var text = ""
      for scalar in span.text.unicodeScalars {
        let width = TextWidth.of(scalar)
        defer { position += width }
        // A mark belongs to the character before it.
        let isShown = width > 0 ? position >= start : position > start
        if isShown, position + width <= end {
          text.unicodeScalars.append(scalar)
        } else if position + width > start, position < end {
          text += " "
        }
      }
      if !text.isEmpty { line.spans.append(ScreenSpan(text, span.tone)) }
    }
    if isReversed, line.width < columns {
      line.spans.append(ScreenSpan(String(repeating: " ", count: columns - line.width)))
    }
    return line
  }
}
