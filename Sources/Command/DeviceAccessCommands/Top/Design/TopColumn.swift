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
