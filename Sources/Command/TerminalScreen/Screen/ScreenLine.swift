/// One line of a screen.
package struct ScreenLine: Hashable, Sendable {
  package var spans: [ScreenSpan]
  /// A Boolean value that indicates whether the line is shown in reverse video, across the whole
  /// width.
  package var isReversed: Bool

  package init(_ spans: [ScreenSpan] = [], isReversed: Bool = false) {
    self.spans = spans
    self.isReversed = isReversed
  }

  package init(_ text: String, _ tone: ScreenTone = .plain, isReversed: Bool = false) {
    self.init([ScreenSpan(text, tone)], isReversed: isReversed)
  }

  /// The text without tones.
  package var text: String { spans.map(\.text).joined() }
  /// The width in columns.
  package var width: Int { spans.reduce(0) { $0 + TextWidth.of($1.text) } }

  /// Returns the part of the line that a window shows.
  ///
  /// If a wide character crosses an edge, a space is shown instead, so the part is never wider than
  /// the window.
  ///
  /// - Parameters:
  ///   - start: The number of columns to the left of the window.
  ///   - columns: The width of the window.
  /// - Returns: The part, padded to the width of the window if the line is reversed.
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
        // A combining mark belongs to the character before it.
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

/// Characters in one line that have the same tone.
package struct ScreenSpan: Hashable, Sendable {
  /// The text, which contains no control characters.
  package var text: String
  package var tone: ScreenTone

  package init(_ text: String, _ tone: ScreenTone = .plain) {
    self.text = text
    self.tone = tone
  }
}

/// The tone of characters on a screen, which determines their color and weight.
package enum ScreenTone: Hashable, Sendable {
  case plain, good, bad, unsure, heading, faint
}
