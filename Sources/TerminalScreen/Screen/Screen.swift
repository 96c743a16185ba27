/// What a terminal is to show.
package struct Screen: Hashable, Sendable {
  /// Where something is typed.
  package struct Cursor: Hashable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// Its lines from the top; those that are missing are empty.
  package private(set) var lines: [ScreenLine]
  /// `nil` where nothing is typed: it is not seen.
  package var cursor: Cursor?

  /// A screen that is no bigger than its size: what does not fit is left out.
  package init(_ lines: [ScreenLine], size: ScreenSize, cursor: Cursor? = nil) {
    self.lines = lines.prefix(size.rows).map { $0.window(columns: size.columns) }
    self.cursor = cursor.map { cursor in
      Cursor(row: min(cursor.row, size.rows - 1), column: min(cursor.column, size.columns - 1))
    }
  }

  /// Its text, as a terminal without colours shows it: no line ends with spaces.
  package var text: String {
    lines.map { line in
      var text = line.text[...]
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }
    .joined()
  }
}
