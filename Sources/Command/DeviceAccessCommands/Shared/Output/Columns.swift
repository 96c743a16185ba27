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
