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

  /// How many columns of a terminal a text takes, near enough: wide East Asian characters and
  /// pictures count two, combining marks none.
  static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { width, scalar in
      if scalar.value < 0x300 { return width + 1 }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: return width
      default: break
      }
      switch scalar.value {
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
        0x20000...0x3FFFD:
        return width + 2
      default:
        return width + 1
      }
    }
  }
}
