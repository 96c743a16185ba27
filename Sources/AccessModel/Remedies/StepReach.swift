/// Whether whoever types the commands of a step can get at what they change.
///
/// A command names its object by a path, and whoever runs it has to walk that path first. A user
/// does so from a shell of their own, without the capabilities or other identifiers of the
/// program; an administrator does so as root, whose capabilities do not count for a directory
/// whose owner or group has no number there.
struct StepReach {
  private var facts: AccessFacts

  init(from facts: AccessFacts) {
    self.facts = facts
  }

  /// The steps, each by an actor who can carry it out; `nil` when one of them nobody can.
  static func settled(_ steps: [Remedy.Step], from facts: AccessFacts) -> [Remedy.Step]? {
    var reach = StepReach(from: facts)
    var settled: [Remedy.Step] = []
    for step in steps {
      guard let step = reach.settle(step) else { return nil }
      settled.append(step)
    }
    return settled
  }

  private mutating func settle(_ step: Remedy.Step) -> Remedy.Step? {
    let start = facts
    defer { facts = start.applying(step.changes) ?? start }
    guard !step.commands.isEmpty else { return step }
    var step = step
    let actors: [Remedy.Actor] =
      step.actor == .user ? [.user, .administrator] : [step.actor]
    for actor in actors {
      step.actor = actor
      if Self.reachesEverything(step, from: start) { return step }
    }
    return nil
  }

  private static func reachesEverything(_ step: Remedy.Step, from start: AccessFacts) -> Bool {
    guard let shell = shell(of: step.actor, start) else { return true }
    // An administrator may have another root directory; the user's own programs lie below this one.
    if step.actor == .user, !mayRunPrograms(shell, start.access) { return false }
    var facts = start
    for change in step.changes {
      if let path = change.namedPath, !reaches(path, shell, facts.access) { return false }
      facts = change.applied(to: facts) ?? facts
    }
    return true
  }

  private static func shell(of actor: Remedy.Actor, _ facts: AccessFacts) -> Subject? {
    switch actor {
    case .user:
      let user = facts.access.subject
      let groups = facts.account.loginGroups
      var shell = Subject(
        uid: user.ruid, gid: groups?.first ?? user.rgid, groups: groups ?? user.groups)
      if shell.ruid == 0 { shell.raiseEverything() }
      return shell
    case .administrator:
      var root = Subject(uid: 0, gid: 0)
      root.raiseEverything()
      return root
    case .packager, .program: return nil
    }
  }

  /// Whether the shell can find any program: each lies below `/`.
  private static func mayRunPrograms(_ shell: Subject, _ access: AccessCase) -> Bool {
    var walk = access.withoutDeviceProgramDoubt
    walk.subject = shell
    walk.request = .access(path: "/", mode: [.search], effective: true, noFollow: true)
    if case .denied = walk.verdict().outcome { return false }
    return true
  }

  private static func reaches(_ path: String, _ shell: Subject, _ access: AccessCase) -> Bool {
    // What was not looked at is not known to be out of reach.
    guard access.nodes.contains(where: { $0.path.isSame(as: path) }) else { return true }
    var walk = access.withoutDeviceProgramDoubt
    walk.subject = shell
    walk.request = .access(path: path, mode: [], effective: true, noFollow: true)
    if case .denied = walk.verdict().outcome { return false }
    return true
  }
}

extension Subject {
  /// Gives it every capability, as root has.
  mutating func raiseEverything() {
    permitted = .all
    effective = .all
  }
}

extension FactsChange {
  /// The path by which its command names what it changes; `nil` where it goes another way, as
  /// udev and logind do.
  fileprivate var namedPath: String? {
    switch self {
    case .setEntries(let path, _), .replaceList(let path, _), .addMode(let path, _),
      .setMode(let path, _), .changeOwner(let path, _, _), .clearFlag(let path, _),
      .setFlag(let path, _), .remount(let path, _):
      path
    default: nil
    }
  }
}
