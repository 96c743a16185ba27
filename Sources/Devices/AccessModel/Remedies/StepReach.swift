/// Checks whether the person who runs the commands of a step can reach the objects that they
/// change.
///
/// A command refers to an object by a path, so the person who runs it needs search permission on
/// the directories of that path. A user runs commands in a regular shell, without the capabilities
/// and other IDs of the program. An administrator runs them as root, whose capabilities do not
/// apply to a directory whose owner or group is not mapped.
struct StepReach {
  private var facts: AccessFacts

  init(from facts: AccessFacts) {
    self.facts = facts
  }

  /// Returns the steps, each with an actor who can carry it out; `nil` if no actor can carry out a
  /// step.
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
    // The administrator may have another root directory, but the user's programs are in this one.
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

  /// Returns whether the shell can search the root directory, without which it finds no programs.
  private static func mayRunPrograms(_ shell: Subject, _ access: AccessCase) -> Bool {
    var walk = access.withoutDeviceProgramDoubt
    walk.subject = shell
    walk.request = .access(path: "/", mode: [.search], effective: true, noFollow: true)
    if case .denied = walk.verdict().outcome { return false }
    return true
  }

  private static func reaches(_ path: String, _ shell: Subject, _ access: AccessCase) -> Bool {
    // An object that was not observed is assumed to be reachable.
    guard access.nodes.contains(where: { $0.path.isSame(as: path) }) else { return true }
    var walk = access.withoutDeviceProgramDoubt
    walk.subject = shell
    walk.request = .access(path: path, mode: [], effective: true, noFollow: true)
    if case .denied = walk.verdict().outcome { return false }
    return true
  }
}

extension Subject {
  /// Raises all capabilities, as root has them.
  mutating func raiseEverything() {
    permitted = .all
    effective = .all
  }
}

extension FactsChange {
  /// The path by which the command refers to the object that it changes.
  ///
  /// The value is `nil` for changes that do not need the path, such as those by udev and logind.
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
