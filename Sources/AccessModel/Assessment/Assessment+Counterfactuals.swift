extension Assessment {
  /// Whether another subject would be granted the same, as far as modes, lists and capabilities
  /// go: what the device control group says does not depend on them.
  private func granted(by subject: Subject) -> Bool {
    prepared.asked(by: subject.withoutDeviceProgramDoubt).verdict().isGranted
  }

  /// Whether the process can reach access alone: by raising permitted capabilities, or by
  /// taking another of its own identifiers as the one that open(2) looks at.
  ///
  /// Not so where the refusal comes from outside the model.
  var couldRaise: Bool {
    guard !isRefusedOutsideModel else { return false }
    var raised = subject
    raised.effective.formUnion(raised.permitted)
    // Most often there is nothing that it could raise or take.
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

  /// The permitted, not effective capabilities that alone would give access.
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

  /// Whether a set-user-ID program such as newgrp(1) or sudo(8) would run as root when this process
  /// starts it: not under no_new_privs, and not as a root that the user namespace does not map.
  var canBecomeRoot: Bool {
    let user = subject.userNamespace.map { $0.users.outside(0) } ?? 0
    let group = subject.userNamespace.map { $0.groups.outside(0) } ?? 0
    guard let user, let group else { return false }
    let program = ExecutableFacts(mode: 0o4755, uid: user, gid: group)
    return subject.afterExecve(of: program)?.euid == user
  }

  /// Whether the subject would be granted the same if its user namespace mapped every number.
  var wouldGrantWithoutNamespace: Bool {
    var mapped = subject
    mapped.userNamespace = nil
    mapped.groups += facts.account.loginGroups ?? []
    mapped.unobserved.remove(.userns)
    return granted(by: mapped)
  }

  /// Whether mapping the owner and group of a node that show as nobody's could give access: the
  /// subject may be the owner, or in the group.
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

  /// The object in question, if its owner shows as nobody's, so that it is not known, and if its group,
  /// which is known and which the subject lacks, would give access.
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

  /// Whether the groups of a new login would give access.
  var wouldGrantAfterLogin: Bool {
    guard !isRefusedOutsideModel, let groups = facts.account.loginGroups else { return false }
    // What the groups of now are refused, the same groups are refused again.
    if groups == subject.groups, case .denied = decision.outcome { return false }
    var fresh = subject
    fresh.groups = groups
    return granted(by: fresh)
  }

  /// Whether the program that started the process dropped its groups: the process has none but
  /// its own, and the database lists several others.
  ///
  /// A login and a unit with `User=` set the list by initgroups(3), which puts the primary group into
  /// it. In a service an empty list is thus that of a program which was started as root and changed
  /// only its user.
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

  /// Whether a new login would lose access, because the database no longer lists a group that
  /// the process still has.
  var wouldBeRefusedAfterLogin: Bool {
    guard isGranted, let groups = facts.account.loginGroups else { return false }
    var fresh = subject
    fresh.groups = groups
    if case .denied = prepared.asked(by: fresh).verdict().outcome { return true }
    return false
  }

  /// Whether it would be refused even if every mode and list on the way were permissive.
  var isRefusedBeyondModes: Bool {
    let permissive = prepared.verdictWithPermissiveDAC(for: subject.withoutDeviceProgramDoubt)
    return if case .denied = permissive.outcome { true } else { false }
  }

  /// What of the wanted permissions is granted together; a part of them when the whole is not.
  ///
  /// On a directory a part is of use only with reading (names) or searching (known names).
  var grantedPart: Permissions {
    if isGranted { return wanted }
    guard case .refused(let errno) = verdict else { return [] }
    // What really opening was refused for the whole, nobody tried for a part.
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
    // Where a layer outside the model refuses the whole, only the kernel knows of the part.
    guard kernel == 0 || (kernel == nil && !isRefusedOutsideModel) else { return false }
    let asked = kernel == 0 ? prepared.asked(by: subject.withoutDeviceProgramDoubt) : prepared
    return asked.verdict(for: request).isGranted
  }
}
