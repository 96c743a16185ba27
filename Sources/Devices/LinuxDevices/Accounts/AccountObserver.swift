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
    if names != .all {
      for index in nodes.indices {
        nodes[index].acl = nodes[index].acl.map { Array($0.prefix(Self.fewEntries)) }
      }
    }
    let most = names == .all ? Self.mostGroups : Self.fewGroups
    return observe(subject, nodes, Set(others), mostGroups: most, source, &unobserved)
  }

  /// Returns a user's home directory from the database; `nil` unless it is an absolute path.
  func home(of user: UInt32) -> String? {
    translator.insideUser(user).flatMap { AccountSources.home(of: $0, roots) }
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

/// Finds the groups that pam_group(8) may add at a login, according to group.conf(5).
///
/// The service, terminal and time of the login are unknown, so every rule that matches the user may
/// apply.
struct GroupModule {
  let roots: MachineRoots

  private static let limit = 1 << 18
  private static let mostServices = 256
  private static let mostGroups = 256

  /// Returns the groups that a login of the user may get.
  ///
  /// - Parameters:
  ///   - user: The name of the user.
  ///   - isMember: Returns whether the database lists the user as a member of the named group.
  /// - Returns: The names or numbers of the groups, as written in the rules.
  func groups(of user: String, isMember: (String) -> Bool) -> [String] {
    let path = "\(roots.etc)/security/group.conf"
    guard let bytes = try? BoundedFile.read(path, limit: Self.limit).bytes else { return [] }
    let rules = Self.rules(in: String(decoding: bytes, as: UTF8.self))
      .filter { Self.matches($0.users, user, isMember) }
    guard !rules.isEmpty, isInUse else { return [] }
    return rules.flatMap(\.groups).prefix(Self.mostGroups)
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  // MARK: - Rules

  private typealias Rule = (users: String, groups: [String])

  /// Parses the rules, which have the form `services;terminals;users;times;groups`.
  private static func rules(in text: String) -> [Rule] {
    let joined = text.split(separator: "\\\n", omittingEmptySubsequences: false)
      .joined(separator: " ")
    return joined.split(separator: "\n").compactMap { line in
      let line = line.prefix { $0 != "#" }
      let fields = line.split(separator: ";", omittingEmptySubsequences: false)
      guard fields.count == 5 else { return nil }
      let groups = fields[4].split { $0 == "," || $0.isWhitespace }.map(String.init)
      return groups.isEmpty ? nil : (fields[2].filter { !$0.isWhitespace }, groups)
    }
  }

  /// Returns whether the user list of a rule may include the user.
  ///
  /// A list contains names, patterns with `*`, and groups, which start with `%`. The operators are
  /// `|`, `&` and `!`.
  private static func matches(_ list: String, _ user: String, _ isMember: (String) -> Bool) -> Bool
  {
    list.split(separator: "|").contains { term in
      term.split(separator: "&").allSatisfy { word in
        let isNegated = word.hasPrefix("!")
        let name = isNegated ? word.dropFirst() : word
        // Netgroups are not looked up, so any of them may match.
        if name.hasPrefix("@") { return true }
        let isMatch =
          name.hasPrefix("%") ? isMember(String(name.dropFirst())) : glob(name, user)
        return isMatch != isNegated
      }
    }
  }

  private static func glob(_ pattern: Substring, _ name: String) -> Bool {
    // As in pam_group, text after the `*` is ignored.
    guard let mark = pattern.firstIndex(of: "*") else { return pattern == name }
    return name.hasPrefix(pattern[..<mark])
  }

  // MARK: - Services

  /// A Boolean value that indicates whether any PAM service is configured to use the module.
  private var isInUse: Bool {
    ["\(roots.etc)/pam.d", "\(roots.lib)/pam.d"].contains { folder in
      ((try? Directory.names(in: folder)) ?? nil ?? []).prefix(Self.mostServices).contains { name in
        guard let bytes = try? BoundedFile.read("\(folder)/\(name)", limit: Self.limit).bytes else {
          return false
        }
        return bytes.split(separator: ByteScanner.newline).contains { line in
          let text = String(decoding: line, as: UTF8.self).drop(while: \.isWhitespace)
          return text.first != "#" && text.contains("pam_group.so")
        }
      }
    }
  }
}
