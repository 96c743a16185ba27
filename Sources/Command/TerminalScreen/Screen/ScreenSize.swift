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
