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

/// A column of the list, which can be sorted by it.
enum TopColumn: Int, CaseIterable, Hashable, Sendable {
  case device, kind, status, rule, users, name

  /// The heading of the column.
  var title: String {
    switch self {
    case .device: "DEVICE"
    case .kind: "KIND"
    case .status: "STATUS"
    case .rule: "RULE"
    case .users: "USERS"
    case .name: "NAME"
    }
  }

  /// The name of the column in lowercase.
  var word: String { title.lowercased() }

  /// The columns in groups, in the order in which they get space.
  ///
  /// All columns of a group get their full width before the next group gets any space.
  static let byWeight: [[TopColumn]] = [[.device, .status, .rule, .users], [.kind], [.name]]

  /// The minimum width of the column, unless its cells are narrower.
  ///
  /// If there is less space, the column is left out.
  var leastWidth: Int {
    switch self {
    case .status: 12
    case .device, .kind, .name: 10
    case .rule, .users: 7
    }
  }

  /// The next column in the sort cycle.
  var next: TopColumn {
    TopColumn(rawValue: rawValue + 1) ?? .device
  }
}

/// An order for names that contain numbers, in which `video2` precedes `video10`.
enum NaturalOrder {
  /// Returns whether a name precedes another one; `nil` if they are equal in this order.
  static func isBefore(_ left: String, _ right: String) -> Bool? {
    var (left, right) = (Substring(left).utf8, Substring(right).utf8)
    while let one = left.first, let other = right.first {
      if isDigit(one), isDigit(other) {
        let (first, second) = (number(&left), number(&right))
        if first.count != second.count { return first.count < second.count }
        for (one, other) in zip(first, second) where one != other { return one < other }
      } else {
        if one != other { return one < other }
        left = left.dropFirst()
        right = right.dropFirst()
      }
    }
    return left.isEmpty == right.isEmpty ? nil : left.isEmpty
  }

  /// Removes the digits at the start and returns them without leading zeros.
  private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
