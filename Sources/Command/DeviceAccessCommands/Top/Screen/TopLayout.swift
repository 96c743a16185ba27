/// The visible columns of the list, and their widths.
struct TopLayout: Hashable, Sendable {
  /// The width of the marker that precedes each row.
  static let margin = 2
  private static let gap = 2

  /// The visible columns, from left to right.
  private(set) var columns: [TopColumn] = []
  private var widths: [TopColumn: Int] = [:]

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - natural: The maximum cell width of each ``TopColumn``; 0 for a column without text.
  ///   - available: The width of the terminal, in columns.
  init(natural: [Int], available: Int) {
    var left = available - Self.margin
    func most(_ column: TopColumn) -> Int {
      // A long path must leave space for the answer.
      let width = natural[column.rawValue]
      return column == .device ? min(width, max(available / 2, 1)) : width
    }
    for group in TopColumn.byWeight {
      let filled = group.filter { natural[$0.rawValue] > 0 }
      for column in filled {
        let least = min(most(column), column.leastWidth)
        let gap = widths.isEmpty ? 0 : Self.gap
        guard least + gap <= left || widths.isEmpty else { continue }
        widths[column] = min(least, max(left, 1))
        left -= least + gap
      }
      for column in filled {
        guard let width = widths[column], left > 0 else { continue }
        let more = min(most(column) - width, left)
        widths[column] = width + more
        left -= more
      }
    }
    columns = TopColumn.allCases.filter { widths[$0] != nil }
  }

  func width(of column: TopColumn) -> Int { widths[column] ?? 0 }
}
