public import AccessModel

/// The facts of a refused case, along with the user and group databases for its commands.
public struct FixScene: Sendable {
  public let access: AccessCase
  public let facts: AccessFacts
  let accounts: Accounts
  let batch: CaseBatch

  /// The directories in which a scene contains the machine's tools.
  private static let tools = ["/bin", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/usr"]

  /// Creates the scene of a case, possibly with a group that the user got after the process
  /// started.
  public init(_ access: AccessCase, of batch: CaseBatch, random: inout RandomSource) {
    self.access = access
    let subject = access.subject
    var groups = Set(access.nodes.map(\.gid)).union(subject.groups)
    groups.formUnion([subject.rgid, subject.egid, subject.sgid, subject.fsgid])
    var users = Set(access.nodes.map(\.uid))
    users.formUnion([subject.ruid, subject.euid, subject.suid, subject.fsuid])
    for entry in access.nodes.flatMap({ $0.acl ?? [] }) {
      guard let id = entry.id else { continue }
      if entry.tag == .user { users.insert(id) } else { groups.insert(id) }
    }
    for mapping in batch.mounts.compactMap(\.idmap) {
      users.formUnion(mapping.users.ranges.map(\.outside))
      groups.formUnion(mapping.groups.ranges.map(\.outside))
    }
    users.remove(.max)
    groups.remove(.max)
    // gpasswd(1) looks up the user that runs it.
    users.insert(0)
    groups.insert(0)
    // The database may list a group that the process lacks, because the user has not logged in
    // since.
    var listed = subject.groups.filter { $0 != subject.rgid }
    if random.chance(20) { listed.append(random.pick(groups.sorted())) }
    var seen: Set<UInt32> = [subject.rgid]
    listed = listed.filter { seen.insert($0).inserted }
    accounts = Accounts(
      users: users.sorted().map { id in
        id == subject.ruid
          ? Accounts.User(id: id, group: subject.rgid, groups: listed)
          : Accounts.User(id: id, group: 64_999, groups: [])
      }, groups: groups.sorted())
    var facts = AccessFacts(access: access)
    facts.account = AccountFacts(
      user: Accounts.name(ofUser: subject.ruid), loginGroups: [subject.rgid] + listed)
    for id in users { facts.account.userNames[id] = Accounts.name(ofUser: id) }
    for id in groups { facts.account.groupNames[id] = Accounts.name(ofGroup: id) }
    facts.confinement.securityModules = ["capability"]
    facts.confinement.seccompMode = 0
    self.facts = facts
    var whole = batch
    let owner = batch.mounts[0].filesystemNamespace
    for path in Self.tools where !whole.nodes.contains(where: { $0.path == path }) {
      whole.nodes.append(
        Node(
          path: path, type: .directory, mode: 0o755, uid: owner?.users.ranges.first?.outside ?? 0,
          gid: owner?.groups.ranges.first?.outside ?? 0))
    }
    self.batch = whole
  }

  /// Runs one fix in a new tree.
  func outcome(
    of remedy: Remedy, for panel: FixPanel, on oracle: borrowing KernelOracle
  ) throws(OracleError) -> Intervention.Outcome {
    var batch = batch
    batch.trials =
      [CaseBatch.Trial(subject: access.subject, requests: panel.requests)]
      + panel.identities.map { CaseBatch.Trial(subject: $0.subject, requests: panel.requests) }
    for index in batch.trials.indices {
      batch.trials[index].subject.deviceCgroup = access.subject.deviceCgroup
    }
    // Prepare the question after the fix. The child process applies what the program itself or a
    // login does; the commands do everything else.
    var after = CaseBatch.Trial(
      subject: access.subject, requests: [access.request] + panel.requests)
    for change in remedy.changes {
      switch change {
      case .ask(let request): after.requests[0] = request
      case .logIn:
        after.subject = change.applied(to: facts)?.access.subject ?? after.subject
        after.login = Accounts.name(ofUser: after.subject.ruid)
        // A login as root has only the capabilities of this machine, which may not be all.
        let usable = CapabilitySet(BatchBuilder.capabilities)
        after.subject.permitted.formIntersection(usable)
        after.subject.effective.formIntersection(usable)
      case .raise, .takeIDs, .addGroups:
        var facts = facts
        facts.access.subject = after.subject
        after.subject = change.applied(to: facts)?.access.subject ?? after.subject
      default: break
      }
    }
    var now = facts
    let commands = remedy.steps.flatMap { step in
      let groups = now.account.loginGroups ?? []
      for change in step.changes { now = change.applied(to: now) ?? now }
      return step.commands.filter { !$0.hasPrefix("newgrp ") }.map { text in
        var command = Intervention.Command(text)
        if step.actor == .user {
          command.user = access.subject.ruid
          command.group = access.subject.rgid
          command.groups = groups
        }
        return command
      }
    }
    return try oracle.answers(
      to: batch,
      with: Intervention(
        accounts: accounts, commands: commands,
        trials: [after] + Array(batch.trials.dropFirst())))
  }
}
