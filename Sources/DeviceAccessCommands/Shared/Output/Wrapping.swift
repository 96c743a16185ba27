/// Breaks text into lines that fit a terminal.
enum Wrapping {
  /// The lines of a text, broken at spaces.
  ///
  /// A word that is wider than a line, such as a long path, stays whole. Colours do not count.
  ///
  /// - Parameters:
  ///   - text: The text; its line ends count as spaces.
  ///   - width: How many columns a line may take.
  ///   - first: What the first line begins with, such as a label.
  ///   - rest: What every other line begins with.
  /// - Returns: The lines, each with its beginning and without a line end.
  static func lines(
    _ text: String, width: Int, first: String = "", rest: String = ""
  ) -> [String] {
    var lines: [String] = []
    var line = first
    var used = self.width(first)
    var isEmpty = true
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let wordWidth = self.width(word)
      if !isEmpty, used + 1 + wordWidth > width {
        lines.append(line)
        line = rest
        used = self.width(rest)
        isEmpty = true
      }
      line += isEmpty ? "\(word)" : " \(word)"
      used += wordWidth + (isEmpty ? 0 : 1)
      isEmpty = false
    }
    return lines + [line]
  }

  /// How many columns a text takes, without the sequences that colour it.
  static func width(_ text: some StringProtocol) -> Int {
    guard text.utf8.contains(0x1B) else { return Columns.width(String(text)) }
    var plain = ""
    var isSequence = false
    for scalar in text.unicodeScalars {
      if scalar == "\u{1B}" {
        isSequence = true
      } else if isSequence {
        isSequence = scalar != "m"
      } else {
        plain.unicodeScalars.append(scalar)
      }
    }
    return Columns.width(plain)
  }
}
