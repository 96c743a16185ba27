internal import AccessModel

/// The sorted list of the rows that match the search.
struct TopTable: Equatable, Sendable {
  /// The matching rows.
  private(set) var entries: [TopEntry] = []
  /// The width of each column in all rows, including its heading; 0 for a column without text.
  private(set) var widths = TopColumn.allCases.map { _ in 0 }
  /// The number of rows for each answer.
  private(set) var counts: [Answer: Int] = [:]
  /// The number of all rows, including those that do not match.
  private(set) var total = 0
  /// The number of rows whose devices are in use.
  private(set) var used = 0

  /// Creates an empty list.
  init() {}

  /// Filters and sorts the rows.
  ///
  /// With thousands of rows this takes a noticeable time, so the result is stored and moving the
  /// selection does not repeat it.
  init(
    _ rows: [TopRow], use: UseFacts?, search: String, sort: TopColumn, isReversed: Bool,
    style: Style
  ) {
    self.init()
    let uses = TopUses(use)
    let searched = Array(search.lowercased().utf8)
    total = rows.count
    for row in rows {
      let own = uses[row]
      let occupation = own.flatMap { own in use?.occupation(of: own) }
      let entry = TopEntry(row, use: own, occupation: occupation, style: style)
      if let answer = row.answer { counts[answer, default: 0] += 1 }
      if own?.isHeld == true { used += 1 }
      for (index, cell) in entry.cells.enumerated() where !cell.isEmpty {
        // Reserve space for the arrow that shows the sort order.
        let least = TopColumn.allCases[index].title.count + 1
        widths[index] = max(widths[index], least, Columns.width(cell))
      }
      if entry.matches(searched) { entries.append(entry) }
    }
    entries.sort { left, right in
      if let isBefore = left.isBefore(right, by: sort) { return isBefore != isReversed }
      return left.isBefore(right, by: .kind) ?? left.isBefore(right, by: .device)
        ?? (left.row.id < right.row.id)
    }
  }

  /// Returns the index of a row; `nil` if it no longer exists or does not match the search.
  func index(of id: String?) -> Int? {
    id.flatMap { id in entries.firstIndex { $0.row.id == id } }
  }
}
