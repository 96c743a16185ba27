/// A column of the list, and what it is sorted by.
enum TopColumn: Int, CaseIterable, Hashable, Sendable {
  case device, kind, status, rule, users, name

  /// What stands above it.
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

  /// The column in words.
  var word: String { title.lowercased() }

  /// The columns in the order in which they get room: those of a group are shown together if they
  /// can be, and in full before the next group has any.
  static let byWeight: [[TopColumn]] = [[.device, .status, .rule, .users], [.kind], [.name]]

  /// With less room it is left out, unless its cells are narrower.
  var leastWidth: Int {
    switch self {
    case .status: 12
    case .device, .kind, .name: 10
    case .rule, .users: 7
    }
  }

  /// The column that the list is sorted by next.
  var next: TopColumn {
    TopColumn(rawValue: rawValue + 1) ?? .device
  }
}
