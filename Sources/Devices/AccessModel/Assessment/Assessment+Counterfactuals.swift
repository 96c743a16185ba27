extension Assessment {
  /// Returns whether modes, access lists and capabilities would grant another subject the same
  /// access.
  ///
  /// The device control group is the same for both subjects. It is assumed to allow everything that
  /// it is not known to refuse.
  private func granted(by subject: Subject) -> Bool {
    prepared.asked(by: subject.withoutDeviceProgramDoubt).verdict().isGranted
  }

  /// A Boolean value that indicates whether the process can gain access by itself.
  ///
  /// The process can raise its permitted capabilities, or have open(2) check another of its user
  /// and group IDs. The value is `false` if the refusal comes from outside the model.
  var couldRaise: Bool {
    guard !isRefusedOutsideModel else { return false }
    var raised = subject
    raised.effective.formUnion(raised.permitted)
    // Most processes have no capability to raise and no other ID.
    if raised == subject, subject.hasOneIdentity { return false }
    let users = Set([subject.fsuid, subject.ruid, subject.euid, subject.suid])
    let groups = Set([subject.fsgid, subject.rgid, subject.egid, subject.sgid])
    for user in users.sorted() {
      for group in groups.sorted() {
        raised.fsuid = user
        raised.fsgid = group
        if raised != subject, granted(by: raised) { return true }
      }
    }
    return false
  }

  /// The permitted but ineffective capabilities that would each give access if they were raised.
  var raisableCapabilities: [Capability] {
    [.readAndSearch, .overrideFileAccess].filter { capability in
      guard subject.permitted.contains(capability), !subject.effective.contains(capability) else {
        return false
      }
      var raised = subject
      raised.effective.formUnion([capability])
      return granted(by: raised)
    }
  }

  /// A Boolean value that indicates whether the process can run a set-user-ID program as root.
  ///
  /// Examples of such programs are newgrp(1) and sudo(8). The value is `false` if `no_new_privs` is
  /// set, or if the user namespace does not map root.
  var canBecomeRoot: Bool {
    let user = subject.userNamespace.map { $0.users.outside(0) } ?? 0
    let group = subject.userNamespace.map { $0.groups.outside(0) } ?? 0
    guard let user, let group else { return false }
    let program = ExecutableFacts(mode: 0o4755, uid: user, gid: group)
    return subject.afterExecve(of: program)?.euid == user
  }

  /// A Boolean value that indicates whether a user namespace that maps every ID would give access.
  var wouldGrantWithoutNamespace: Bool {
    var mapped = subject
    mapped.userNamespace = nil
    mapped.groups += facts.account.loginGroups ?? []
    mapped.unobserved.remove(.userns)
    return granted(by: mapped)
  }

  /// Returns whether mapping the owner and group of a node could give access.
  ///
  /// The owner or group shows as the overflow ID, so the subject may be the owner or a member of
  /// the group.
  func wouldGrantIfMapped(_ node: Node) -> Bool {
    let overflow: UInt32 = 65534
    guard subject.userNamespace != nil || subject.unobserved.contains(.overflowIDs),
      node.uid == overflow || node.gid == overflow
    else { return false }
    return [(node.uid == overflow, false), (false, node.gid == overflow), (true, true)].contains {
      mapsOwner, mapsGroup in
      var other = access.withoutDeviceProgramDoubt
      other.subject.userNamespace = nil
      other.subject.unobserved.subtract([.overflowIDs, .userns, .deviceCgroup])
      for index in other.nodes.indices where other.nodes[index].path.isSame(as: node.path) {
        if mapsOwner { other.nodes[index].uid = subject.fsuid }
        if mapsGroup { other.nodes[index].gid = subject.fsgid }
      }
      return other.verdict().isGranted
    }
  }

  /// The object in question, if its owner is unknown and membership in its group would give access.
  ///
  /// An unknown owner shows as the overflow ID. The group is known, and the subject is not a
  /// member.
  var objectOfUnknownOwner: Node? {
    guard case .undecided = decision.outcome, kernelErrno != 0,
      let node = decidingStep?.node, node.uid == Subject.overflowID,
      node.gid != Subject.overflowID, node.gid != 0,
      subject.userNamespace.map({ $0.groups.inside(node.gid) != 0 }) ?? true,
      node.owningGroupPermissions.isSuperset(of: wanted), !subject.groups.contains(node.gid)
    else { return nil }
    var member = subject
    member.groups.append(node.gid)
    return granted(by: member) ? node : nil
  }

  /// A Boolean value that indicates whether the groups of a new login would give access.
  var wouldGrantAfterLogin: Bool {
    guard !isRefusedOutsideModel, let groups = facts.account.loginGroups else { return false }
    // A new login with the same groups would be refused again.
    if groups == subject.groups, case .denied = decision.outcome { return false }
    var fresh = subject
    fresh.groups = groups
    return granted(by: fresh)
  }

  /// A Boolean value that indicates whether the program that started the process dropped its
  /// groups.
  ///
  /// The process has only its own group, and the database lists several others. A login and a unit
  /// with `User=` set the groups with initgroups(3), which includes the primary group. In a
  /// service, an empty list therefore means that the program was started as root and changed only
  /// its user.
  var lacksEveryGroup: Bool {
    let supplementary = subject.groups.filter { $0 != subject.fsgid }
    let listed = (facts.account.loginGroups ?? []).filter { $0 != subject.fsgid }
    guard supplementary.isEmpty else { return false }
    let isProcess = facts.origin?.kind == .process || facts.origin?.kind == .ownProcess
    let isBareService =
      subject.groups.isEmpty && isProcess && facts.confinement.serviceUnit != nil
      && subject.fsuid != 0
    return listed.count > 1 || (isBareService && !listed.isEmpty)
  }

  /// A Boolean value that indicates whether a new login would lose access.
  ///
  /// The database no longer lists a group that the process still has.
  var wouldBeRefusedAfterLogin: Bool {
    guard isGranted, let groups = facts.account.loginGroups else { return false }
    var fresh = subject
    fresh.groups = groups
    if case .denied = prepared.asked(by: fresh).verdict().outcome { return true }
    return false
  }

  /// A Boolean value that indicates whether access is refused even with permissive modes and lists.
  var isRefusedBeyondModes: Bool {
    let permissive = prepared.verdictWithPermissiveDAC(for: subject.withoutDeviceProgramDoubt)
    return if case .denied = permissive.outcome { true } else { false }
  }

  /// The largest subset of the requested permissions that is granted; empty if none is.
  ///
  /// On a directory, a subset is useful only if it includes reading (to list names) or searching
  /// (to use known names).
  var grantedPart: Permissions {
    if isGranted { return wanted }
    guard case .refused(let errno) = conclusion else { return [] }
    // An actual open was refused for all of the permissions together, and no subset was tried.
    if attempt?.errno == errno { return [] }
    let wanted = wanted
    if wanted.rawValue.nonzeroBitCount < 2 { return [] }
    let parts = (1..<UInt8(8)).map(Permissions.init(rawValue:))
      .filter { $0 != wanted && wanted.isSuperset(of: $0) }
      .sorted { $0.rawValue.nonzeroBitCount > $1.rawValue.nonzeroBitCount }
    return parts.first(where: grantsPart) ?? []
  }

  private func grantsPart(_ part: Permissions) -> Bool {
    let isDirectory = object?.type == .directory
    if isDirectory, part.isDisjoint(with: [.read, .search]) { return false }
    let request = access.request.asking(for: part)
    guard !access.mayLackDemand(for: request, at: decidingStep, facts.confinement) else {
      return false
    }
    let kernel = Self.kernelErrno(for: request, in: checks)
    // If a layer outside the model refuses the whole request, only the kernel can answer for a part
    // of it.
    guard kernel == 0 || (kernel == nil && !isRefusedOutsideModel) else { return false }
    let asked = kernel == 0 ? prepared.asked(by: subject.withoutDeviceProgramDoubt) : prepared
    return asked.verdict(for: request).isGranted
  }
}

extension Request {
  /// Returns the same request for other permissions, with all other flags unchanged.
  func asking(for permissions: Permissions) -> Request {
    switch self {
    case .access(let path, _, let effective, let noFollow):
      return .access(path: path, mode: permissions, effective: effective, noFollow: noFollow)
    case .open(let path, let flags):
      let modes: Set<OpenFlag> = [.readOnly, .writeOnly, .readWrite, .accessMode3, .truncate]
      let mode = permissions.openFlags.subtracting([.nonBlocking])
      return .open(path: path, flags: flags.subtracting(modes).union(mode))
    }
  }
}
