internal import AccessModel

/// The credentials that systemd gives a service according to its settings.
struct UnitCredentials {
  let roots: MachineRoots
  let own: SubjectView

  /// The user, group and supplementary groups that systemd looks up, as IDs in its user namespace.
  private struct Identity {
    var user: UInt32 = 0
    var group: UInt32 = 0
    var groups: [UInt32] = []
    var isDynamic = false
  }

  func subject(
    _ settings: UnitSettings, _ name: UnitName, _ view: inout SubjectView
  ) -> Subject {
    var unobserved: Set<Subject.Element> = []
    var identity = identity(settings, name, &unobserved, &view.unobserved)
    let mapped = (user: identity.user, group: identity.group)
    if unobserved.isDisjoint(with: [.ids]) {
      view.unit?.owner = UnitOwner(
        user: view.translator.user(mapped.user), group: view.translator.group(mapped.group),
        root: view.translator.user(0), rootGroup: view.translator.group(0))
    }
    if settings.start != .restricted, settings.start != nil {
      // The program stays root. systemd has called initgroups(3), and has not dropped any privilege
      // yet.
      identity.user = 0
      identity.group = 0
      identity.isDynamic = false
      unobserved.subtract([.ids, .capabilities])
    }
    if identity.isDynamic { unobserved.insert(.dynamicIDs) }
    unobserved.formUnion(own.subject.unobserved.intersection([.userns]))
    var subject = Subject(
      uid: view.translator.user(identity.user), gid: view.translator.group(identity.group),
      groups: identity.groups.map { view.translator.group($0) })
    subject.unobserved = unobserved
    subject.userNamespace = own.subject.userNamespace
    takeCapabilities(settings, user: identity.user, &subject)
    takeNamespace(settings.userNamespace, mapped, &subject)
    let program = UnitExecution(settings, name, own: own).start(of: subject)
    view.unobserved += program.unobserved
    subject = program.subject
    takeModules(settings, &subject, &view.unobserved)
    return subject
  }

  private func identity(
    _ settings: UnitSettings, _ name: UnitName, _ elements: inout Set<Subject.Element>,
    _ unobserved: inout [Unobserved]
  ) -> Identity {
    var ignored: [Unobserved] = []
    var source = AccountSources.source(roots, &ignored)
    var identity = Identity()
    // The groups in the settings apply only to a program that changes to the unit's user.
    let becomesUser = settings.start == .restricted || settings.start == nil
    if let word = settings.user ?? (settings.isDynamicUser ? name.prefix : nil) {
      let lookup = find { () throws(Errno) in try source.user(word: word) }
      if case .success(let user?) = lookup, let primary = user.group {
        identity.user = user.id
        identity.group = primary
        if let groups = source.loginGroups(of: user) {
          identity.groups = groups
        } else {
          elements.insert(.groups)
        }
      } else if settings.isDynamicUser, case .success = lookup {
        // If the user is not allocated, any ID in the range represents all of them.
        identity.user = settings.runningUser ?? Subject.dynamicIDs.lowerBound
        identity.group = identity.user
        identity.isDynamic = settings.runningUser == nil
        if becomesUser, identity.isDynamic {
          unobserved.append(
            Unobserved("dynamic-user", reason: "systemd chooses its number at the start"))
        }
      } else {
        elements.formUnion([.ids, .groups, .capabilities])
        unobserved.append(
          Unobserved("unit-user", reason: Self.reason(of: lookup, "user \(word)")))
      }
    }
    let supplementary = becomesUser ? settings.supplementaryGroups : []
    for (setting, word) in [settings.group].compactMap(\.self).map({ ("Group", $0) })
      + supplementary.map({ ("SupplementaryGroups", $0) })
    {
      let lookup = find { () throws(Errno) in try source.group(word: word) }
      if case .success(let number?) = lookup {
        if setting == "Group" { identity.group = number } else { identity.groups.append(number) }
        continue
      }
      // The group of a dynamic user does not exist before the service starts.
      if case .success = lookup, settings.isDynamicUser, setting == "Group" { continue }
      elements.insert(.groups)
      unobserved.append(
        Unobserved("unit-group", reason: Self.reason(of: lookup, "group \(word)")))
    }
    if !becomesUser, settings.user != nil, !identity.isDynamic {
      // initgroups(3) also adds the primary group.
      identity.groups.append(identity.group)
    }
    return identity
  }

  private func find<Value>(
    _ lookUp: () throws(Errno) -> Value?
  ) -> Result<Value?, Errno> {
    do throws(Errno) {
      return .success(try lookUp())
    } catch {
      return .failure(error)
    }
  }

  /// Returns the reason why a user or group has no ID.
  private static func reason<Value>(of lookup: Result<Value?, Errno>, _ what: String) -> String {
    guard case .failure(let error) = lookup else {
      return "\(what) does not exist, so systemd cannot start it"
    }
    return "\(what) could not be looked up (\(error.reason))"
  }

  /// Sets the capabilities that the program has after execve(2).
  ///
  /// Root gets the whole bounding set. Any other user gets the ambient set.
  private func takeCapabilities(
    _ settings: UnitSettings, user: UInt32, _ subject: inout Subject
  ) {
    let first = try? BoundedFile.read("\(roots.proc)/1/status", limit: 1 << 16)
    let limit = first.flatMap { ThreadStatus(parsing: $0.bytes).bounding }
    subject.bounding = settings.boundingSet.intersection(limit ?? .all)
    subject.ambient = settings.ambientSet.intersection(subject.bounding)
    subject.inheritable = subject.ambient
    subject.securebits = settings.secureBits
    subject.noNewPrivileges = settings.noNewPrivileges
    if subject.unobserved.contains(.capabilities) { return }
    let isRoot = user == 0 && settings.secureBits & 1 == 0
    subject.permitted = isRoot ? subject.bounding : subject.ambient
    subject.effective = subject.permitted
    if limit == nil { subject.unobserved.insert(.capabilities) }
  }

  /// Marks everything that the PAM modules of `PAMName=` may change as unknown.
  ///
  /// The modules may add groups and capabilities, and open a session that gives its user access to
  /// devices. They do not remove groups that systemd adds (`merge_gid_lists`).
  private func takeModules(
    _ settings: UnitSettings, _ subject: inout Subject, _ unobserved: inout [Unobserved]
  ) {
    guard let name = settings.pamName, settings.user != nil || settings.isDynamicUser,
      settings.start == .restricted || settings.start == nil,
      !subject.effective.contains(.overrideFileAccess)
    else { return }
    // With unknown capabilities, an answer can still be "allowed", but not "refused".
    subject.unobserved.insert(.capabilities)
    unobserved.append(
      Unobserved(
        "pam",
        reason: "the PAM modules of PAMName=\(name) may add groups, capabilities and a session")
    )
  }

  /// Applies `PrivateUsers=`, which maps root and the unit's own user and group.
  ///
  /// The value `identity` maps the first 65,536 IDs instead.
  private func takeNamespace(
    _ namespace: UnitSettings.UserNamespace, _ own: (user: UInt32, group: UInt32),
    _ subject: inout Subject
  ) {
    func map(_ id: UInt32) -> IDMap {
      switch namespace {
      case .identity: IDMap([IDMap.Range(inside: 0, outside: 0, length: 65536)])
      default:
        IDMap(Set([0, id]).sorted().map { IDMap.Range(inside: $0, outside: $0, length: 1) })
      }
    }
    switch namespace {
    case .none, .full: return
    case .own, .identity:
      subject.userNamespace = IDMapping(users: map(own.user), groups: map(own.group))
    }
  }
}
