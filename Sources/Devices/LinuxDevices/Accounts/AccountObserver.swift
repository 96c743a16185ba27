internal import AccessModel

/// Looks up the names of the subject's user, its login groups, and all identifiers in the facts.
struct AccountObserver {
  var roots: MachineRoots
  var translator: IDTranslator

  /// The number of ACL entries per node to name if only a few names are requested.
  private static let fewEntries = 16
  /// The maximum number of the subject's groups to name if only a few names are requested.
  ///
  /// The owning groups of the nodes are named in any case. Each lookup reads the database from its
  /// beginning.
  private static let fewGroups = 64
  private static let mostGroups = 256

  /// Looks up all names, including the names of the users in `others`.
  func observe(
    subject: Subject, nodes: [Node], others: some Sequence<UInt32>,
    names: Question.NameLookup = .all, _ unobserved: inout [Unobserved]
  ) -> AccountFacts {
    let source = AccountSources.source(roots, &unobserved)
    var nodes = nodes
    if names == .few {
      for index in nodes.indices {
        nodes[index].acl = nodes[index].acl.map { Array($0.prefix(Self.fewEntries)) }
      }
    }
    let most = names == .few ? Self.fewGroups : Self.mostGroups
    return observe(subject, nodes, Set(others), mostGroups: most, source, &unobserved)
  }

  /// Returns a user's home directory from the database; `nil` unless it is an absolute path.
  func home(of user: UInt32) -> String? {
    guard let id = translator.insideUser(user) else { return nil }
    var ignored: [Unobserved] = []
    var source = AccountSources.source(roots, &ignored)
    return (try? source.user(id))?.home.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
  }

  private func observe(
    _ subject: Subject, _ nodes: [Node], _ others: Set<UInt32>, mostGroups: Int,
    _ source: any AccountSource, _ unobserved: inout [Unobserved]
  ) -> AccountFacts {
    var source = source
    var facts = AccountFacts()
    // The databases belong to the observer's user namespace and use its IDs.
    let insideUser = { (id: UInt32) in translator.insideUser(id) }
    let insideGroup = { (id: UInt32) in translator.insideGroup(id) }

    var failures = Failures()
    if !subject.unobserved.contains(.ids), let id = insideUser(subject.ruid),
      let user = failures.noting({ () throws(Errno) in try source.user(id) })
    {
      facts.user = user.name
      facts.home = user.home.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
      let groups = source.loginGroups(of: user)
      if groups == nil {
        unobserved.append(
          Unobserved("accounts", reason: "the groups of \(user.name) could not be read"))
      }
      facts.loginGroups = groups.map { groups in
        var translator = translator
        return groups.map { translator.group($0) }
      }
      let module = GroupModule(roots: roots).groups(of: user.name) { name in
        let id = failures.noting { () throws(Errno) in try source.groupID(named: name) }
        return id.map { groups?.contains($0) ?? true } ?? false
      }
      facts.moduleGroups = module.compactMap { name in
        let found = failures.noting { () throws(Errno) in try source.groupID(named: name) }
        var translator = translator
        return (found ?? UInt32(name)).map { translator.group($0) }
      }
    }

    var users = others.union([subject.ruid, subject.euid, subject.fsuid])
    var groups = Set(subject.groups.sorted().prefix(mostGroups))
    groups.formUnion((facts.loginGroups ?? []).sorted().prefix(mostGroups))
    groups.formUnion(facts.moduleGroups.prefix(mostGroups))
    groups.formUnion([subject.rgid, subject.egid, subject.fsgid])
    for node in nodes {
      users.insert(node.uid)
      groups.insert(node.gid)
      for entry in node.acl ?? [] {
        guard let id = entry.id else { continue }
        if entry.tag == .user { users.insert(id) } else { groups.insert(id) }
      }
    }
    for id in users {
      guard let inside = insideUser(id) else { continue }
      facts.userNames[id] =
        failures.noting { () throws(Errno) in try source.user(inside) }?.name
    }
    for id in groups {
      guard let inside = insideGroup(id) else { continue }
      facts.groupNames[id] =
        failures.noting { () throws(Errno) in try source.groupName(inside) }
    }
    if let failure = failures.first {
      unobserved.append(
        Unobserved("accounts", reason: "a name could not be looked up (\(failure.reason))"))
    }
    return facts
  }

  /// Counts failed lookups, and skips all further lookups after the fourth failure.
  private struct Failures {
    private(set) var first: Errno?
    private var count = 0
    private static let most = 4

    mutating func noting<Value>(_ lookUp: () throws(Errno) -> Value?) -> Value? {
      guard count < Self.most else { return nil }
      do throws(Errno) {
        return try lookUp()
      } catch {
        first = first ?? error
        count += 1
        return nil
      }
    }
  }
}
