internal import AccessModel

/// The credentials with which systemd starts a service, from its settings.
struct UnitCredentials {
  let roots: MachineRoots
  let own: SubjectView

  /// The user, group and groups as systemd looks them up, in its own numbering.
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
      // It stays root; only initgroups(3) has been called, before anything is dropped.
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
    // Only a program that becomes the user gets the groups that the settings add.
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
        // Any number of the range: the subject says that it stands for all of them.
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
      // A dynamic user's own group does not exist before the start.
      if case .success = lookup, settings.isDynamicUser, setting == "Group" { continue }
      elements.insert(.groups)
      unobserved.append(
        Unobserved("unit-group", reason: Self.reason(of: lookup, "group \(word)")))
    }
    if !becomesUser, settings.user != nil, !identity.isDynamic {
      // initgroups(3) counts the group as well.
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

  /// Why a user or group has no number.
  private static func reason<Value>(of lookup: Result<Value?, Errno>, _ what: String) -> String {
    guard case .failure(let error) = lookup else {
      return "\(what) does not exist, so systemd cannot start it"
    }
    return "\(what) could not be looked up (\(error.reason))"
  }

  /// What execve(2) leaves to the program: everything within bounds to root, the ambient set to
  /// anybody else.
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

  /// `PAMName=` runs modules that may add groups and capabilities, and open a session whose user gets
  /// devices.
  ///
  /// They take nothing away that systemd gives (`merge_gid_lists`).
  private func takeModules(
    _ settings: UnitSettings, _ subject: inout Subject, _ unobserved: inout [Unobserved]
  ) {
    guard let name = settings.pamName, settings.user != nil || settings.isDynamicUser,
      settings.start == .restricted || settings.start == nil,
      !subject.effective.contains(.overrideFileAccess)
    else { return }
    // With capabilities that are not known a refusal is not known either, and a grant is.
    subject.unobserved.insert(.capabilities)
    unobserved.append(
      Unobserved(
        "pam",
        reason: "the PAM modules of PAMName=\(name) may add groups, capabilities and a session")
    )
  }

  /// `PrivateUsers=` maps root and the unit's own user and group, and nobody else.
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
