/// A user or group that gains or loses access to one object because of a change.
public struct Gain: Hashable, Sendable {
  /// The kind of user or group.
  public enum Who: Hashable, Sendable {
    /// The subject of the question, for an object other than the requested one.
    case subject
    /// The user with the given number.
    case user(UInt32)
    /// All members of the group with the given number.
    case group(UInt32)
    /// All users of the machine.
    case everyone
  }

  /// The user or group that gains or loses access.
  public var who: Who
  /// The canonical path of the object.
  public var path: String
  /// The access that is granted as a whole only after the change; for a loss, only before it.
  ///
  /// It may include permissions that are also granted separately, such as read in read and write.
  public var permissions: Permissions
  /// The permissions that the change itself adds or removes.
  ///
  /// If a user could read and now can read and write, this is only write.
  var change: Permissions

  /// Creates a gain of one user or group, or of all users, for one object.
  public init(_ who: Who, path: String, permissions: Permissions) {
    self.who = who
    self.path = path
    self.permissions = permissions
    change = permissions
  }
}

/// Describes the access that users gain or lose through a remedy.
struct GainWords {
  let names: Names
  /// The facts before the remedy.
  let before: AccessFacts
  /// The facts after the remedy.
  let after: AccessFacts

  private static let pathLimit = 3

  /// Returns a phrase for the access that a remedy grants beyond what is needed.
  ///
  /// The phrase follows the words *This also gives*, such as `access to other devices of the same
  /// model, and gives every member of group video (44) read and write access to /dev/video0`.
  func excess(of remedy: Remedy) -> String? {
    let gains = phrases(of: gainsBeyondNeed(of: remedy)).map { who, access in
      "\(words(who, remedy.newGroups, everybody: "everybody")) \(access)"
    }
    return Remedy.joined(
      remedy.scope, gains.isEmpty ? nil : gains.joined(separator: ", and gives "),
      by: ", and gives ")
  }

  /// Returns a phrase for the access that a remedy removes.
  ///
  /// The phrase follows the words *This removes*, such as `read access to /dev/video0 from
  /// everybody else`.
  func loss(of remedy: Remedy) -> String? {
    // Root keeps its access regardless of the mode.
    let losses = phrases(of: remedy.losses.filter { $0.who != .user(0) }).map { who, access in
      "\(access) from \(words(who, remedy.newGroups, everybody: "everybody else"))"
    }
    return losses.isEmpty ? nil : losses.joined(separator: ", and ")
  }

  /// Returns each user or group together with a phrase for its access.
  private func phrases(of gains: [Gain]) -> [(Gain.Who, String)] {
    var order: [Gain.Who] = []
    var byWho: [Gain.Who: [Gain]] = [:]
    for gain in gains where !gain.change.isEmpty {
      if byWho[gain.who] == nil { order.append(gain.who) }
      byWho[gain.who, default: []].append(gain)
    }
    return order.map { ($0, access(byWho[$0] ?? [])) }
  }

  /// Returns a phrase for one user's gains, such as `read access to /dev/a and /dev/b and write
  /// access to /c`.
  private func access(_ gains: [Gain]) -> String {
    var order: [String] = []
    var paths: [String: [String]] = [:]
    for gain in gains.prefix(Self.pathLimit) {
      let isDirectory =
        after.access.nodes.first { $0.path.isSame(as: gain.path) }?.type == .directory
      let kind = gain.change.words(isDirectory: isDirectory)
      if paths[kind] == nil { order.append(kind) }
      paths[kind, default: []].append(gain.path)
    }
    let shown = order.map { kind in
      let all = paths[kind] ?? []
      let last = all.last ?? ""
      let others = all.dropLast().joined(separator: ", ")
      return "\(kind) access to \(others.isEmpty ? "" : others + " and ")\(last)"
    }.joined(separator: " and ")
    let rest = gains.count - Self.pathLimit
    return rest > 0 ? "\(shown) and access to \(rest) more" : shown
  }

  /// Returns the gains, except those of the subject that are needed or described elsewhere.
  private func gainsBeyondNeed(of remedy: Remedy) -> [Gain] {
    let own = remedy.gains.filter { $0.who == .subject && !$0.change.isEmpty }
    guard !own.isEmpty else { return remedy.gains }
    let request = after.access.request
    let path = after.access.object(at: request.path)?.path ?? request.path
    let directory = after.access.creationDirectory
    let needed = own.filter { gain in
      // An open searches the directories on the path, and creates a new file in the last one.
      gain.change == .search && path.isBelow(gain.path)
        || directory?.isSame(as: gain.path) == true
          && Permissions([.write, .search]).isSuperset(of: gain.change)
        || isDescribed(gain, remedy)
    }
    return remedy.gains.filter { !needed.contains($0) }
  }

  /// Returns whether a gain of the subject is already described by the title, the scope or a
  /// group's gain.
  private func isDescribed(_ gain: Gain, _ remedy: Remedy) -> Bool {
    // The title describes an ACL entry.
    if remedy.changes.contains(where: { isEntry($0, for: gain) }) { return true }
    // The scope or the group's own gain describes the gains of group members.
    let groups = Set(after.access.subject.groups).union([after.access.subject.fsgid])
    let isOfGroup = remedy.gains.contains { other in
      guard case .group(let group) = other.who else { return false }
      return groups.contains(group) && other.path.isSame(as: gain.path)
        && other.permissions.isSuperset(of: gain.change)
    }
    return isOfGroup || remedy.scope != nil && changesOnlyNewGroups(remedy)
  }

  private func isEntry(_ change: FactsChange, for gain: Gain) -> Bool {
    switch change {
    case .setEntries(let path, let entries), .replaceList(let path, let entries):
      guard path.isSame(as: gain.path), let mount = after.access.mount(of: path),
        let id = mount.userStored(after.access.subject.fsuid)
      else { return false }
      return entries.contains {
        $0.tag == .user && $0.id == id && $0.permissions.isSuperset(of: gain.change)
      }
    default: return false
    }
  }

  /// Returns whether a remedy only adds the subject to groups, whose access is the remedy's scope.
  private func changesOnlyNewGroups(_ remedy: Remedy) -> Bool {
    let old = Set(before.access.subject.groups).union([before.access.subject.fsgid])
    return remedy.changes.allSatisfy { change in
      switch change {
      case .joinGroup, .addGroups: true
      // A new login may also add other groups.
      case .logIn: old.isSuperset(of: before.account.loginGroups ?? [])
      default: false
      }
    }
  }

  private func words(
    _ who: Gain.Who, _ newGroups: [UInt32: String], everybody: String
  ) -> String {
    switch who {
    case .subject: names.user(after.access.subject.fsuid)
    case .user(let id): names.user(id)
    case .group(let id) where newGroups[id] != nil: "every member of group \(newGroups[id] ?? "")"
    case .group(let id): "every member of \(names.group(id))"
    case .everyone: everybody
    }
  }
}
