internal import AccessModel

/// Describes the subject of a question.
struct SubjectText: Sendable {
  let facts: AccessFacts
  let style: Style

  private var names: ShownNames { ShownNames(facts) }
  private var subject: Subject { facts.access.subject }

  /// The origin of the subject, such as `process 123 (motion)`.
  var origin: String {
    guard let origin = facts.origin else { return "this process" }
    let name = origin.name.map { style.safe($0, limit: 64) }
    var text =
      switch origin.kind {
      case .ownProcess: "this process"
      case .user where origin.name == nil: "user \(subject.fsuid), which has no account"
      case .user: "user \(names.fullUser(subject.fsuid, style)), as after a new login"
      case .process:
        "process \(origin.pid.map(String.init) ?? "?")" + (name.map { " (\($0))" } ?? "")
      case .unit:
        "unit \(name ?? "?"), "
          + (origin.pid.map { "as it runs (process \($0))" } ?? "as systemd would start it")
      }
    if origin.source == .files { text += " (from its files)" }
    if origin.isHypothetical {
      let clauses = origin.variations.map { style.safe(Self.assumption($0), limit: 128) }
      text += ", assuming " + clauses.joined(separator: ", ")
    }
    return text
  }

  /// Rewrites a variation so it can follow *assuming*, such as `group video` for `with group
  /// video`.
  private static func assumption(_ clause: String) -> String {
    if clause.hasPrefix("with ") { return String(clause.dropFirst(5)) }
    return clause.hasPrefix("without ") ? "no " + clause.dropFirst(8) : clause
  }

  /// The origin and the credentials on one line.
  var line: String {
    var parts = facts.origin == nil ? [] : [origin]
    // For a user, the origin already contains the name.
    if subject.unobserved.contains(.ids) {
      return (parts + ["its user is unknown"]).joined(separator: "; ")
    }
    if subject.unobserved.contains(.dynamicIDs) {
      parts.append("a dynamic user")
    } else if facts.origin?.kind != .user {
      parts.append("user " + names.fullUser(subject.fsuid, style))
    }
    var seen: Set<UInt32> = []
    let isDynamic = subject.unobserved.contains(.dynamicIDs)
    let groups = ([subject.fsgid] + subject.groups).filter { seen.insert($0).inserted }
      .filter { !isDynamic || !Subject.dynamicIDs.contains($0) }
      .prefix(24).map { names.fullGroup($0, style) }
    if groups.isEmpty {
      parts.append("no group but its own")
    } else if facts.origin?.kind == .user, facts.origin?.name == nil,
      subject.groups == [subject.fsgid]
    {
      parts.append("no groups")
    } else {
      parts.append((groups.count == 1 ? "group " : "groups ") + groups.joined(separator: ", "))
    }
    let relevant = [Capability.overrideFileAccess, .readAndSearch]
    let effective = relevant.filter(subject.effective.contains)
    let permitted = relevant.filter { subject.permitted.contains($0) && !effective.contains($0) }
    if !effective.isEmpty {
      parts.append("effective " + effective.map { "cap_\($0.name)" }.joined(separator: ", "))
    }
    if !permitted.isEmpty {
      parts.append("permitted " + permitted.map { "cap_\($0.name)" }.joined(separator: ", "))
    }
    if subject.userNamespace != nil { parts.append("in a user namespace") }
    return parts.joined(separator: "; ")
  }
}

/// The names of users and groups in the facts of a question.
struct ShownNames: Sendable {
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
