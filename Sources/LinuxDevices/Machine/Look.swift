internal import AccessModel

/// One look at the machine: everything in it is read at most once.
struct Look: ~Copyable {
  private let machine: LinuxMachine
  private let view: SubjectView
  private var subject: Subject
  private let mounts: MountTable
  private var unobserved: [Unobserved]
  var observer: PathObserver

  private var seccompMode: Int? { view.seccompMode }

  init(_ machine: LinuxMachine, _ view: SubjectView) {
    self.machine = machine
    self.view = view
    subject = view.subject
    mounts = view.mounts
    unobserved = view.unobserved
    let isForAnother = view.origin.map { $0.kind != .ownProcess } ?? false
    observer = PathObserver(
      translator: view.translator, root: view.root, isForAnother: isForAnother)
  }

  /// The home directory that the account database names.
  var home: String? {
    AccountObserver(roots: machine.roots, translator: observer.translator).home(of: subject.ruid)
  }

  /// Walks a path and returns the canonical path of its object; `nil` when it was not reached.
  @discardableResult
  mutating func walk(_ path: String) -> String? {
    PathWalk.walk(path, with: &observer)
  }

  /// The device behind a node, in a list of at most one.
  func device(at path: String) -> [DeviceFacts] {
    guard let node = observer.sighting(path)?.node, node.type.isDevice, let number = node.rdev
    else { return [] }
    return DeviceEnumerator(roots: machine.roots)
      .device(number, isBlock: node.type == .blockDevice).map { [$0] } ?? []
  }

  /// The facts, for a request and the paths that the kernel is to be asked about.
  mutating func finish(
    kind: String?, request: Request, candidates: [String], seats: Set<String>
  ) -> AccessFacts {
    let confinement = confinementObserver.observe(subject: &subject, &unobserved)
    let mounts = crossedMounts()
    let nodes = observer.nodes.compactMap { observer.sighting($0)?.node }
    let (account, session) =
      view.names == .none ? (AccountFacts(), nil) : people(nodes: nodes, seats: seats)
    if observer.translator.metOverflow { subject.unobserved.insert(.overflowIDs) }

    var facts = AccessFacts(
      kind: kind,
      access: AccessCase(
        protectedSymlinks: true, mounts: mounts, nodes: nodes, subject: subject, request: request))
    facts.origin = view.origin
    readSettings(into: &facts.access)
    facts.account = account
    facts.session = session
    facts.confinement = confinement
    facts.readProfile(roots: machine.roots)
    facts.kernelChecks = kernelChecks(
      of: candidates + [facts.access.creationDirectory].compactMap(\.self), request: request)
    facts.unobserved = unobserved + observer.unobserved
    if let unit = view.unit, unit.needsOverlay { apply(unit, to: &facts) }
    return facts
  }

  /// Who the subject is by name, and where it is logged in.
  private mutating func people(
    nodes: [Node], seats: Set<String>
  ) -> (AccountFacts, SessionFacts?) {
    let session = SessionObserver(roots: machine.roots)
      .observe(
        view.session, user: observer.translator.insideUser(subject.ruid) ?? subject.ruid,
        seats: seats, &unobserved)
    let account = AccountObserver(roots: machine.roots, translator: observer.translator)
      .observe(
        subject: subject, nodes: nodes, others: session?.activeUsers.values.map { $0 } ?? [],
        names: view.names, &unobserved)
    return (account, session)
  }

  private var confinementObserver: ConfinementObserver {
    let hasKernelAnswer = if case .caller = view.witness { true } else { false }
    return ConfinementObserver(
      roots: machine.roots, process: view.process, unit: view.unit, root: view.root,
      mounts: view.mounts, environment: view.environment, seccompMode: view.seccompMode,
      hasKernelAnswer: hasKernelAnswer)
  }

  /// Shows the facts as the processes of a unit would see them.
  private func apply(_ unit: UnitView, to facts: inout AccessFacts) {
    var overlay = UnitOverlay(unit.settings, of: unit.name.text, roots: machine.roots)
    if case .devices(let root) = UnitRoot(unit.settings, target: facts.access.request.path) {
      var other = PathObserver(translator: view.translator, root: root, isForAnother: true)
      PathWalk.walk("/", with: &other)
      overlay.rootNode = other.sighting("/")?.node
    }
    // A running process has its policies from its control group.
    let deviceCgroup = facts.access.subject.deviceCgroup
    let hasDoubt = facts.access.subject.unobserved.contains(.deviceCgroup)
    overlay.apply(to: &facts.access)
    if unit.isRunning {
      facts.access.subject.deviceCgroup = deviceCgroup
      if !hasDoubt { facts.access.subject.unobserved.remove(.deviceCgroup) }
    } else {
      facts.confinement.service?.policies = overlay.policies
    }
    facts.unobserved += overlay.unobserved
  }

  // MARK: Mounts

  /// Filesystems whose inodes can be immutable or append-only without statx(2) telling.
  ///
  /// All others either report the flags or cannot have them (procfs, sysfs, devpts, cgroup).
  private static let typesWithHiddenFlags: Set<String> = [
    "vfat", "msdos", "exfat", "jfs", "ocfs2", "nilfs2", "reiserfs", "hfsplus", "udf", "zfs",
    "bcachefs", "ubifs",
  ]

  /// The mounts that the seen nodes are on, the one at `/` first.
  ///
  /// It also notes which nodes may have flags that cannot be seen.
  private mutating func crossedMounts() -> [Mount] {
    let inNamespace = subject.userNamespace != nil
    var mounts: [Mount] = []
    var taken: Set<PathKey> = []
    for path in ["/"] + observer.nodes {
      let entry = self.mounts.mount(of: path, id: observer.sighting(path)?.mountID)
      // A mount that is found by its number alone can be at a place that the table does not name.
      let point = path == "/" ? "/" : entry?.point
      if let entry, observer.sighting(path)?.reportsFlags == false,
        Self.typesWithHiddenFlags.contains(entry.fstype)
      {
        observer.markUnobserved(.flags, at: path, reason: "\(entry.fstype) does not report flags")
      }
      guard let point, taken.insert(PathKey(point)).inserted else { continue }
      if let entry {
        mounts.append(Mount(entry, at: point, inUserNamespace: inNamespace))
      } else {
        // Without any table nobody knows what else is mounted below. An empty one is believed of
        // another process alone: the own one was read from a procfs that it does not list.
        let isKnown =
          !self.mounts.entries.isEmpty || (self.mounts.isRead && !view.root.isEmpty)
        let asked =
          !isKnown
          ? nil : Mount(asking: view.root + path, at: point, inUserNamespace: inNamespace)
        mounts.append(asked ?? .unknown(at: point))
      }
    }
    return mounts
  }

  // MARK: The kernel

  /// Reads `fs.protected_symlinks`, `fs.protected_regular` and `fs.protected_fifos`.
  ///
  /// The last two matter where a file may be created alone. Kernels before 4.19 have neither.
  private mutating func readSettings(into access: inout AccessCase) {
    if let level = level(of: .protectedSymlinks, &access) { access.protectedSymlinks = level != 0 }
    guard access.request.creates else { return }
    if let level = level(of: .protectedRegular, &access) { access.protectedRegular = level }
    if let level = level(of: .protectedFifos, &access) { access.protectedFifos = level }
  }

  /// The level of a setting, 0 to 2; `nil` when it cannot be told, which is noted in the case.
  private mutating func level(of setting: AccessCase.Setting, _ access: inout AccessCase) -> Int? {
    let path = "\(machine.roots.proc)/sys/fs/\(setting.rawValue)"
    let reason: String
    do throws(Errno) {
      let line = try BoundedFile.line(path, limit: 16)
      if let level = Int(line) { return min(max(level, 0), 2) }
      reason = "it is no number"
    } catch .noSuchFile where setting != .protectedSymlinks {
      return 0
    } catch {
      reason = error.clause
    }
    unobserved.append(Unobserved(setting.rawValue, at: path, reason: reason))
    access.unobserved.insert(setting)
    return nil
  }

  private mutating func kernelChecks(of paths: [String], request: Request) -> [KernelCheck] {
    var modes: [Permissions] = [.read, .write, [.read, .write]]
    if request.creates { modes.append([.write, .search]) }
    if case .access(_, let mode, _, _) = request {
      modes += [.search, [.read, .search], [.write, .search], [.read, .write, .search]]
      if !modes.contains(mode) { modes.append(mode) }
    }
    // A filter cannot tell paths apart: what it answers for a device it answers for any path.
    let controls =
      seccompMode == 2 && !paths.contains(AccessFacts.controlPath) ? [AccessFacts.controlPath] : []
    let questions = (paths + controls).flatMap { path in modes.map { (path: path, mode: $0) } }
    let (checks, failure) = view.witness.answers(to: questions, asking: machine.kernelCheck)
    if let failure {
      unobserved.append(
        Unobserved("kernel-check", at: paths.count == 1 ? paths[0] : nil, reason: failure))
    }
    return checks
  }
}
