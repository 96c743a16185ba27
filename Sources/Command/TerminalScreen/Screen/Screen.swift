/// The contents of a terminal.
package struct Screen: Hashable, Sendable {
  /// The position of the cursor, where the user types.
  package struct Cursor: Hashable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// The lines from the top; missing lines are empty.
  package private(set) var lines: [ScreenLine]
  /// The cursor; `nil` to hide it.
  package var cursor: Cursor?

  /// Creates a screen of the given size, omitting text that does not fit.
  package init(_ lines: [ScreenLine], size: ScreenSize, cursor: Cursor? = nil) {
    self.lines = lines.prefix(size.rows).map { $0.window(columns: size.columns) }
    self.cursor = cursor.map { cursor in
      Cursor(row: min(cursor.row, size.rows - 1), column: min(cursor.column, size.columns - 1))
    }
  }

  /// The text without tones, in which no line ends with spaces.
  package var text: String {
    lines.map { line in
      var text = line.text[...]
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }
    .joined()
  }
}

/// The size of a terminal in characters.
package struct ScreenSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  /// The size that is used for a terminal that does not report its size.
  package static let standard = ScreenSize(columns: 80, rows: 24)

  /// Creates a size, with each dimension limited to the range from 1 to 1000.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
  }
}
