internal import AccessModel

/// The names of users and groups for people, from the facts of a question.
struct Names: Sendable {
  private let users: [UInt32: String]
  private let groups: [UInt32: String]

  init(_ account: AccountFacts?) {
    users = account?.userNames ?? [:]
    groups = account?.groupNames ?? [:]
  }

  func user(_ id: UInt32, _ style: Style) -> String {
    users[id].map { style.safe($0, limit: 32) } ?? String(id)
  }

  func group(_ id: UInt32, _ style: Style) -> String {
    groups[id].map { style.safe($0, limit: 32) } ?? String(id)
  }

  /// Name and number: in a container the number decides.
  func fullUser(_ id: UInt32, _ style: Style) -> String {
    users[id].map { "\(style.safe($0, limit: 32)) (\(id))" } ?? String(id)
  }

  func fullGroup(_ id: UInt32, _ style: Style) -> String {
    groups[id].map { "\(style.safe($0, limit: 32)) (\(id))" } ?? String(id)
  }
}
