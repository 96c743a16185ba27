internal import TerminalScreen

/// Aligns the cells of a table.
///
/// The text of the cells is already safe to print. Colors are added after the widths are computed,
/// so they do not affect the alignment.
struct Columns: Sendable {
  private var rows: [[(text: String, tone: Style.Tone?)]] = []

  mutating func add(_ cells: [(text: String, tone: Style.Tone?)]) {
    rows.append(cells)
  }

  mutating func add(_ cells: [String], tone: Style.Tone? = nil) {
    rows.append(cells.map { ($0, tone) })
  }

  /// Returns the lines, with two spaces between columns and no trailing spaces.
  func lines(style: Style) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        let width = Self.width(cell.text)
        if column == widths.count { widths.append(width) }
        widths[column] = max(widths[column], width)
      }
    }
    return rows.map { row in
      var line = ""
      var padding = 0
      for (column, cell) in row.enumerated() {
        if !cell.text.isEmpty {
          line += String(repeating: " ", count: padding)
          line += cell.tone.map { style.paint(cell.text, $0) } ?? cell.text
          padding = 0
        }
        padding += widths[column] - Self.width(cell.text) + 2
      }
      return line
    }
  }

  /// Returns the number of terminal columns that a text occupies.
  ///
  /// Wide East Asian characters and emoji occupy two columns, and combining marks none.
  static func width(_ text: String) -> Int { TextWidth.of(text) }
}

/// Wraps text to the width of a terminal.
enum Wrapping {
  /// Wraps a text at spaces.
  ///
  /// A word that is wider than a line, such as a long path, is not broken. Escape sequences for
  /// colors have no width.
  ///
  /// - Parameters:
  ///   - text: The text; newlines count as spaces.
  ///   - width: The maximum width of a line, in columns.
  ///   - first: The prefix of the first line, such as a label.
  ///   - rest: The prefix of every other line.
  /// - Returns: The lines, including their prefixes but without newlines.
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

  /// Returns the number of columns that a text occupies, excluding color sequences.
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
