internal import AccessModel

/// The list: the rows that are looked for, in their order.
struct TopTable: Equatable, Sendable {
  /// Those that match.
  private(set) var entries: [TopEntry] = []
  /// Of all rows, the widest cell of each column, its title included; 0 for a column without text.
  private(set) var widths = TopColumn.allCases.map { _ in 0 }
  /// How many devices and paths there are, by their answers.
  private(set) var counts: [Answer: Int] = [:]
  /// How many rows there are, those that do not match included.
  private(set) var total = 0
  /// How many of them somebody uses.
  private(set) var used = 0

  /// An empty list.
  init() {}

  /// Sorts and searches rows; this takes a moment for thousands, and moving in them takes none.
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
        // A title has a sign of the order behind it.
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

  /// Where a row is; `nil` when it is gone, or does not match.
  func index(of id: String?) -> Int? {
    id.flatMap { id in entries.firstIndex { $0.row.id == id } }
  }
}
