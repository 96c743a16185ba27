/// The users and groups that gain or lose access to any object because of a change.
struct RemedyReach {
  private(set) var gains: [Gain] = []
  private(set) var losses: [Gain] = []

  /// The maximum number of objects to check, starting with those closest to the change.
  private static let objectLimit = 64
  private static let identityLimit = 48

  private struct Identity {
    var who: Gain.Who
    var before: Subject
    var after: Subject
  }

  /// Computes the gains and losses of a change.
  ///
  /// - Parameters:
  ///   - before: The facts before the changes.
  ///   - after: The facts after the changes.
  ///   - changes: The changes.
  init(from before: AccessFacts, to after: AccessFacts, by changes: [FactsChange]) {
    let changed = changes.compactMap(\.place)
    let isEverywhere = changes.contains(where: \.isEverywhere)
    let objects = Self.objects(before.access, changed, isEverywhere)
    let asked = after.access.object(at: after.access.request.path)?.path
    let wanted = after.access.request.permissions
    let identities = Self.identities(before, after, objects, changed, isEverywhere)
    let cases = (PreparedCase(before.access), PreparedCase(after.access))
    // Mounts that a service's settings create are visible only to the service, and change nothing
    // for others.
    let outside = before.applying(changes.filter(\.isOfServiceAlone)) ?? before
    let others = PreparedCase(outside.access)
    for identity in identities {
      let first = identity.who == .subject ? cases.0 : others
      let prepared = (
        first.asked(by: identity.before.withoutDeviceProgramDoubt),
        cases.1.asked(by: identity.after.withoutDeviceProgramDoubt)
      )
      for node in objects {
        var more: Permissions = []
        var fewer: Permissions = []
        // The individual bits that are granted both before and after the change.
        var kept: Permissions = []
        for bits in node.questions {
          let request = node.request(for: bits)
          let had = prepared.0.verdict(for: request).outcome
          let has = prepared.1.verdict(for: request).outcome
          if !had.isGranted, !has.isDenied, had != has { more.formUnion(bits) }
          if had.isGranted, !has.isGranted { fewer.formUnion(bits) }
          if had.isGranted, has.isGranted, bits.rawValue.nonzeroBitCount == 1 {
            kept.formUnion(bits)
          }
        }
        // The requested access is not an additional gain.
        let isAsked = identity.who == .subject && (asked.map(node.path.isSame) ?? false)
        if isAsked { more.subtract(wanted) }
        if !more.isEmpty {
          var gain = Gain(identity.who, path: node.path, permissions: more)
          gain.change.subtract(kept)
          // Each bit was already granted, but not both bits in one open.
          if gain.change.isEmpty, !isAsked { gain.change = more }
          gains.append(gain)
        }
        if !fewer.isEmpty {
          var loss = Gain(identity.who, path: node.path, permissions: fewer)
          loss.change.subtract(kept)
          if loss.change.isEmpty { loss.change = fewer }
          losses.append(loss)
        }
      }
    }
    gains = Self.withoutRepetitions(gains)
    // Only root is in the group root, and root has access through its capabilities anyway.
    losses = Self.withoutRepetitions(losses).filter { $0.who != .group(0) }
  }

  /// Removes the gains of users and groups that all users also have.
  private static func withoutRepetitions(_ gains: [Gain]) -> [Gain] {
    gains.filter { gain in
      gain.who == .everyone || gain.who == .subject
        || !gains.contains {
          $0.who == .everyone && $0.path.isSame(as: gain.path)
            && $0.permissions.isSuperset(of: gain.permissions)
        }
    }
  }

  private static func objects(
    _ access: AccessCase, _ changed: [String], _ isEverywhere: Bool
  ) -> [Node] {
    let usable = access.nodes.filter {
      $0.type != .symbolicLink && !$0.unobserved.contains(.status)
    }
    let near = usable.filter { node in
      changed.contains { $0 == "/" || node.path.isAtOrBelow($0) }
    }
    guard isEverywhere else { return Array(near.prefix(objectLimit)) }
    let paths = Set(near.map { PathKey($0.path) })
    return Array((near + usable.filter { !paths.contains(PathKey($0.path)) }).prefix(objectLimit))
  }

  /// Returns the identities to check: the subject, an arbitrary user, and the users and groups of
  /// the nodes.
  ///
  /// Users come before groups. IDs of a changed node or its ACL come first, followed by those of
  /// the parent directories and of the nodes below.
  private static func identities(
    _ before: AccessFacts, _ after: AccessFacts, _ objects: [Node], _ changed: [String],
    _ isEverywhere: Bool
  ) -> [Identity] {
    let subject = before.access.subject
    var users: [UInt32] = []
    var groups: [UInt32] = []
    let isChanged = { (node: Node) in isEverywhere || changed.contains(node.path) }
    let isOnTheWay = { (node: Node) in
      changed.contains { node.path == "/" || $0.isBelow(node.path) }
    }
    let nodes =
      objects.filter(isChanged) + after.access.nodes.filter(isChanged)
      + before.access.nodes.filter(isOnTheWay) + objects
    let mounts = MountIndex(before.access.mounts)
    for node in nodes {
      let mount = mounts.mount(of: node.path)
      let user = { (id: UInt32) in mount.map { $0.userSeen(id) } ?? id }
      let group = { (id: UInt32) in mount.map { $0.groupSeen(id) } ?? id }
      users += [user(node.uid)].compactMap(\.self)
      groups += [group(node.gid)].compactMap(\.self)
      for entry in node.acl ?? [] {
        guard let id = entry.id else { continue }
        if entry.tag == .user { users += [user(id)].compactMap(\.self) }
        if entry.tag == .group { groups += [group(id)].compactMap(\.self) }
      }
    }
    var seen: Set<UInt32> = [subject.fsuid]
    users = users.filter { seen.insert($0).inserted }
    seen = []
    groups = groups.filter { seen.insert($0).inserted }
    let nobody = unused(Set(users).union([subject.fsuid, subject.ruid]))
    let noGroup = unused(Set(groups).union(subject.groups).union([subject.fsgid]))
    let identity = { (who: Gain.Who, user: UInt32, groups: [UInt32]) in
      let subject = Subject(uid: user, gid: noGroup, groups: groups)
      return Identity(who: who, before: subject, after: subject)
    }
    return
      ([
        Identity(who: .subject, before: subject, after: after.access.subject),
        identity(.everyone, nobody, []),
      ] + users.map { identity(.user($0), $0, []) }
      + groups.map { identity(.group($0), nobody, [$0]) }).prefix(identityLimit).map(\.self)
  }

  /// Returns an ID that is not in use.
  private static func unused(_ taken: Set<UInt32>) -> UInt32 {
    var candidate: UInt32 = 64_321
    while taken.contains(candidate) { candidate += 1 }
    return candidate
  }
}

extension Verdict.Outcome {
  fileprivate var isGranted: Bool { self == .granted }
  fileprivate var isDenied: Bool { if case .denied = self { true } else { false } }
}

extension Node {
  /// The permissions to check for the node, individually and in combination.
  fileprivate var questions: [Permissions] {
    switch type {
    case .directory: [.read, [.write, .search], .search]
    case .regular: [.read, .write, [.read, .write], .execute]
    default: [.read, .write, [.read, .write]]
    }
  }

  fileprivate func request(for bits: Permissions) -> Request {
    if type == .directory || bits.contains(.execute) || type == .socket {
      return .access(path: path, mode: bits, effective: true, noFollow: true)
    }
    return .open(path: path, flags: bits.openFlags)
  }
}

extension FactsChange {
  /// The path of the node that the change affects, together with everything below it.
  var place: String? {
    switch self {
    case .setEntries(let path, _), .replaceList(let path, _), .addMode(let path, _),
      .setMode(let path, _), .changeOwner(let path, _, _), .clearFlag(let path, _),
      .setFlag(let path, _), .makeDirectory(let path), .remove(let path),
      .deviceEvent(let path, _, _, _):
      path
    case .appear(let node): node.path
    case .remount(let place, _), .spare(let place): place
    default: nil
    }
  }

  /// A Boolean value that indicates whether only the processes of the service see the change.
  fileprivate var isOfServiceAlone: Bool { if case .spare = self { true } else { false } }

  /// A Boolean value that indicates whether the change can affect objects at other paths.
  ///
  /// Examples are changes to groups and new logins.
  fileprivate var isEverywhere: Bool {
    switch self {
    case .joinGroup, .logIn, .addGroups, .activateSession, .allowDevice, .raise, .takeIDs,
      .remount:
      true
    default: false
    }
  }
}

/// The mounts of a case by mount point, for looking up many nodes.
///
/// ``AccessCase/mount(of:)`` searches all mounts, so using it for every node of a snapshot would
/// take quadratic time.
struct MountIndex {
  private let mounts: [PathKey: Mount]

  /// Creates a table of the given mounts.
  ///
  /// - Parameter mounts: The mounts in mount order. If several have the same mount point, the last
  ///   one is used.
  init(_ mounts: [Mount]) {
    self.mounts = Dictionary(
      mounts.map { (PathKey($0.at), $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Returns the mount that contains a canonical path.
  ///
  /// - Parameter path: The path.
  /// - Returns: The mount with the longest mount point at or above the path; `nil` if there is
  ///   none.
  func mount(of path: String) -> Mount? {
    var place = path[...]
    while !place.isEmpty {
      if let mount = mounts[PathKey(String(place))] { return mount }
      guard let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else { break }
      place = place[..<slash]
    }
    return mounts[PathKey("/")]
  }
}
