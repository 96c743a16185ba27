/// How many characters a terminal can show.
package struct ScreenSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  /// What a terminal has that does not tell.
  package static let standard = ScreenSize(columns: 80, rows: 24)

  /// Sizes that no terminal has are brought into bounds.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
  }
}
