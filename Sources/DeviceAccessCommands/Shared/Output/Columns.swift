internal import TerminalScreen

/// Lines the cells of a table up.
///
/// Cells are plain text that is already safe; colour is added by `tones` after the widths are
/// known, so that it does not count.
struct Columns: Sendable {
  private var rows: [[(text: String, tone: Style.Tone?)]] = []

  mutating func add(_ cells: [(text: String, tone: Style.Tone?)]) {
    rows.append(cells)
  }

  mutating func add(_ cells: [String], tone: Style.Tone? = nil) {
    rows.append(cells.map { ($0, tone) })
  }

  /// The lines, with two spaces between columns and none at the end.
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

  /// How many columns of a terminal a text takes: wide East Asian characters and pictures count two,
  /// combining marks none.
  static func width(_ text: String) -> Int { TextWidth.of(text) }
}
