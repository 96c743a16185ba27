internal import AccessModel

/// The names of users and groups in the facts of a question.
struct Names: Sendable {
  private let users: [UInt32: String]
  private let groups: [UInt32: String]

  /// The mapping that translates IDs before they are shown; `nil` if they are shown unchanged.
  private let map: IDMapping?
  /// A Boolean value that indicates whether the overflow ID stands for the IDs that the subject's user
  /// namespace does not map.
  private let isInNamespace: Bool

  init(_ facts: AccessFacts?) {
    users = facts?.account.userNames ?? [:]
    groups = facts?.account.groupNames ?? [:]
    isInNamespace = facts?.access.subject.userNamespace != nil
    map = facts.flatMap { $0.hasForeignNumbers ? $0.access.subject.userNamespace : nil }
  }

  private func number(ofUser id: UInt32) -> UInt32 { map.map { $0.users.inside(id) ?? id } ?? id }

  private func number(ofGroup id: UInt32) -> UInt32 {
    map.map { $0.groups.inside(id) ?? id } ?? id
  }

  func user(_ id: UInt32, _ style: Style) -> String {
    users[id].map { style.safe($0, limit: 32) } ?? String(number(ofUser: id))
  }

  func group(_ id: UInt32, _ style: Style) -> String {
    groups[id].map { style.safe($0, limit: 32) } ?? String(number(ofGroup: id))
  }

  /// Returns the name and the ID, because in a container only the ID counts.
  func fullUser(_ id: UInt32, _ style: Style) -> String {
    let number = number(ofUser: id)
    return users[id].map { "\(style.safe($0, limit: 32)) (\(number))" } ?? String(number)
  }

  func fullGroup(_ id: UInt32, _ style: Style) -> String {
    if isInNamespace, id == Subject.overflowID { return "unmapped (\(id))" }
    let number = number(ofGroup: id)
    return groups[id].map { "\(style.safe($0, limit: 32)) (\(number))" } ?? String(number)
  }
}
