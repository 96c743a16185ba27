internal import AccessModel
internal import Glibc

/// One scan of the running machine for one subject, which reads everything at most once.
struct LinuxObservation: ~Copyable, MachineObservation {
  let machine: LinuxMachine
  let view: SubjectView
  private let question: Question
  var observer: PathObserver
  private(set) var ownSubject: Subject
  private var seen: [Unobserved]
  /// The facts that a watch remembers.
  let cache: ScanCache?
  /// The subject that the remembered facts belong to.
  let who: ScanCache.Who
  /// The remembered directories that lead to the first path.
  var known: KnownDirectories?

  init(
    _ question: Question, of machine: LinuxMachine, as view: SubjectView,
    using cache: ScanCache? = nil
  ) {
    self.machine = machine
    self.cache = cache
    self.view = view
    self.question = question
    who = ScanCache.Who(question)
    ownSubject = view.subject
    seen = view.unobserved
    let isForAnother = view.origin.map { $0.kind != .ownProcess } ?? false
    observer = PathObserver(
      translator: view.translator, root: view.root, isForAnother: isForAnother,
      mounts: view.mounts)
  }

  var origin: SubjectOrigin? { view.origin }
  var nodes: [Node] { observer.sightings.map(\.node) }
  var unobserved: [Unobserved] { seen + observer.unobserved }

  var subject: Subject {
    var subject = ownSubject
    if observer.translator.metOverflow { subject.unobserved.insert(.overflowIDs) }
    return subject
  }

  var roots: MachineRoots { machine.roots }

  mutating func note(_ unobserved: Unobserved) {
    if !seen.contains(unobserved) { seen.append(unobserved) }
  }

  mutating func walk(_ path: String) -> Node? {
    let name = observer.sightings.isEmpty ? beginAbove(path) : nil
    let end =
      if let name {
        PathWalk.walk([name], from: AbsolutePath.parent(of: path), with: &observer)
      } else {
        PathWalk.walk(path, with: &observer)
      }
    guard let end else { return nil }
    return observer.sighting(end)?.node
  }

  /// Takes over the remembered directories above a path.
  ///
  /// - Returns: The last name in the path; `nil` if nothing is remembered.
  private mutating func beginAbove(_ path: String) -> String? {
    guard let cache, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let name = path[path.utf8.index(after: slash)...]
    guard !name.isEmpty, name != ".", name != "..",
      let known = cache.directories(
        .init(who: who, detail: PathKey(AbsolutePath.parent(of: path))))
    else { return nil }
    observer.begin(with: known)
    self.known = known
    return String(name)
  }

  // MARK: Devices

  func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts] {
    guard let subsystem = kind.subsystem else { return [] }
    let enumerator = DeviceEnumerator(roots: roots)
    guard let cache else { return try enumerator.devices(inSubsystem: subsystem) }
    return try cache.devices(of: subsystem, with: enumerator)
  }

  func device(behind node: Node) -> DeviceFacts? {
    guard node.type.isDevice, let number = node.rdev else { return nil }
    let isBlock = node.type == .blockDevice
    let enumerator = DeviceEnumerator(roots: roots)
    guard let cache else { return enumerator.device(number, isBlock: isBlock) }
    return cache.device(NodeNumber(isBlock: isBlock, number: number)) {
      enumerator.device(number, isBlock: isBlock)
    }
  }

  func device(missingAt path: String) -> DeviceFacts? {
    DeviceEnumerator(roots: roots).device(missingAt: path)
  }

  mutating func number(of node: Node) -> HardwareFacts.Number? {
    guard let number = node.rdev else { return nil }
    let (observer, isBlock) = (NumberObserver(roots: roots), node.type == .blockDevice)
    // An earlier failure to read the list of devices is the more useful report.
    if !seen.contains(where: { $0.layer == Unobserved.devicesLayer }),
      let reason = observer.hiddenNumbers(isBlock: isBlock)
    {
      note(Unobserved(Unobserved.devicesLayer, at: roots.sysfs, reason: reason))
    }
    return observer.observe(number, isBlock: isBlock)
  }

  func companions(of kind: DeviceKind) -> [String] {
    DeviceCompanions(folder: "\(view.root)/dev").paths(of: kind)
  }

  mutating func observeHardware(of kind: DeviceKind) -> HardwareFacts? {
    let observer = HardwareObserver(roots: roots, files: cache?.files)
    let onUSB =
      cache?.bus(seenFor: kind) { observer.observeUSB(of: kind) } ?? observer.observeUSB(of: kind)
    return observer.observe(&seen, of: kind, onUSB: onUSB)
  }

  mutating func module(ofNode path: String) -> HardwareFacts.Module? {
    guard path.hasPrefix("/dev/") else { return nil }
    var reader = HardwareReader(knowing: cache?.files)
    let module = ModuleObserver(roots: roots).module(ofNode: String(path.dropFirst(5)), &reader)
    seen += reader.unobserved
    return module
  }

  mutating func unknownNodes(of kind: DeviceKind, besides devices: [DeviceFacts]) -> [String] {
    let numbers = NumberObserver(roots: roots)
    let check = DeviceListCheck(roots: roots)
    let isKernels = view.mounts.mount(of: "/dev", id: nil)?.fstype == "devtmpfs"
    if let reason = check.hidden(kind, besides: devices)
      ?? (isKernels ? check.unlistedNode(kind, root: view.root) : nil)
    {
      note(Unobserved(Unobserved.devicesLayer, at: roots.sysfs, reason: reason))
    }
    guard kind == .camera else { return [] }
    do throws(Errno) {
      return try numbers.unknownNodes(
        in: "\(view.root)/dev", named: kind.namePrefixes,
        besides: Set(devices.compactMap(\.number)))
    } catch {
      // A node in the directory may be a camera that sysfs does not list.
      note(Unobserved("device-nodes", at: "/dev", reason: error.reason))
      return []
    }
  }

  mutating func nodes(numbered numbers: Set<DeviceNumber>) -> [String] {
    guard let directory = walk("/dev")?.path, directory != "/" else { return [] }
    do throws(Errno) {
      return try NumberObserver(roots: roots)
        .nodes(in: view.root + directory, numbered: numbers)
        .map { "/dev/\($0)" }
    } catch {
      note(Unobserved("device-nodes", at: "/dev", reason: error.reason))
      return []
    }
  }

  mutating func observeDatabase() {
    if let error = UdevDatabase(roots: roots).folderFailure { noteDatabase(error) }
  }

  func keepers(of nodes: [String]) -> [String: String] {
    TerminalObserver(roots: roots).keepers(of: nodes)
  }

  mutating func probedPorts(_ devices: [DeviceFacts]) -> [HardwareFacts.Port] {
    var reader = HardwareReader()
    let ports = PortObserver(roots: roots).ports(devices, &reader)
    seen += reader.unobserved
    return ports
  }

  mutating func observeRaw(_ devices: [DeviceFacts]) -> HardwareFacts? {
    HardwareObserver(roots: roots).observe(raw: devices, &seen)
  }

  mutating func cardService() -> HardwareFacts.CardService? {
    var reader = HardwareReader()
    // A hypothetical subject has no process to inspect.
    let process: Int32? =
      switch view.session {
      case .caller where view.origin == nil: getpid()
      case .process(let number) where view.origin?.variations.isEmpty ?? true: number
      default: nil
      }
    let service = CardObserver(roots: roots).observe(process: process, &reader)
    seen += reader.unobserved
    return service
  }

  mutating func observeDaemon(for unfinished: [DeviceFacts]) -> Bool? {
    let database = UdevDatabase(roots: roots)
    // libudev treats a file that it is not permitted to read as missing.
    for device in unfinished {
      guard let error = database.failure(of: device) else { continue }
      noteDatabase(error)
      break
    }
    return database.hasControl
  }

  var hasDaemon: Bool? { UdevDatabase(roots: roots).hasDaemon }

  private mutating func noteDatabase(_ error: Errno) {
    note(
      Unobserved(
        Unobserved.udevDatabaseLayer, at: UdevDatabase(roots: roots).folder, reason: error.reason))
  }

  mutating func observeRules(
    of device: DeviceFacts?, node: String, and file: String?
  ) -> RuleFacts? {
    RuleObserver(roots: roots).observe(device, node: node, and: file)
  }

  // MARK: The subject and its surroundings

  /// Returns a remembered or newly read value, and reports the parts that could not be observed.
  mutating func recall<Value: Sendable>(
    _ known: (ScanCache.Aging) -> ScanCache.Remembered<Value>?,
    keep: (inout ScanCache.Aging, ScanCache.Remembered<Value>) -> Void,
    scan: (borrowing Self, inout [Unobserved]) -> Value
  ) -> Value {
    func read() -> ScanCache.Remembered<Value> {
      var unobserved: [Unobserved] = []
      let value = scan(self, &unobserved)
      return ScanCache.Remembered(value, unobserved)
    }
    let found = cache.map { $0.recall(known, keep: keep, read: read) } ?? read()
    seen += found.unobserved
    return found.value
  }

  mutating func observeConfinement() -> ConfinementFacts {
    let hasKernelAnswer = if case .caller = view.checker { true } else { false }
    let who = who
    let confined = recall(
      { $0.confinements[who] }, keep: { $0.confinements[who] = $1 },
      scan: { observation, unobserved in
        let view = observation.view
        var subject = observation.ownSubject
        let isLogin = view.origin?.kind == .user
        let facts = ConfinementObserver(
          roots: observation.roots, process: view.process, unit: view.unit,
          login: isLogin ? observation.observer.translator.insideUser(subject.ruid) : nil,
          root: view.root, mounts: view.mounts, environment: view.environment,
          seccompMode: view.seccompMode, hasKernelAnswer: hasKernelAnswer
        ).observe(subject: &subject, &unobserved)
        return ScanCache.Confined(facts: facts, subject: subject)
      })
    ownSubject = confined.subject
    return confined.facts
  }

  var home: String? {
    AccountObserver(roots: roots, translator: observer.translator).home(of: ownSubject.ruid)
  }

  mutating func observeAlbum() -> AlbumFacts {
    var album = AlbumObserver(environment: view.environment, root: view.root)
    let isOwn = view.origin.map { $0.kind == .ownProcess } ?? true
    // A process of the caller's own user can read every file that the caller can read.
    if !isOwn, !view.root.isEmpty || ownSubject.fsuid != geteuid() {
      album.otherUser = ownSubject.fsuid
    }
    let home = album.ownHome ?? self.home
    if let file = album.file(home: home) { album.isSilent = !observer.hasAnswer(at: file) }
    return album.observe(home: home)
  }

  mutating func observeSession(seats: Set<String>) -> SessionFacts? {
    let user = observer.translator.insideUser(ownSubject.ruid) ?? ownSubject.ruid
    let key = ScanCache.Key(who: who, detail: seats)
    return recall(
      { $0.sessions[key] }, keep: { $0.sessions[key] = $1 },
      scan: { observation, unobserved in
        SessionObserver(roots: observation.roots)
          .observe(observation.view.session, user: user, seats: seats, &unobserved)
      })
  }

  mutating func observeAccounts(of nodes: [Node], others: [UInt32]) -> AccountFacts {
    let owners = ScanCache.Owners(
      names: question.names, others: others, nodes: nodes.map(ScanCache.Owner.init))
    let key = ScanCache.Key(who: who, detail: owners)
    return recall(
      { $0.accounts[key] }, keep: { $0.accounts[key] = $1 },
      scan: { observation, unobserved in
        AccountObserver(roots: observation.roots, translator: observation.observer.translator)
          .observe(
            subject: observation.ownSubject, nodes: nodes, others: others,
            names: observation.question.names, &unobserved)
      })
  }

  mutating func kernelChecks(_ questions: [KernelQuestion]) -> [KernelCheck] {
    guard !observer.metSilence else {
      note(Unobserved("kernel-check", at: questions.first?.path, reason: Errno.silenceReason))
      return []
    }
    let (checks, failure) = view.checker.answers(
      to: questions, asking: machine.kernelCheck, through: cache?.children)
    if let failure {
      let path = questions.first?.path
      let isOne = questions.allSatisfy { $0.path == path || $0.path == AccessFacts.controlPath }
      note(Unobserved("kernel-check", at: isOne ? path : nil, reason: failure))
    }
    return checks
  }

  mutating func complete(_ facts: inout AccessFacts) {
    facts.readProfile(roots: roots)
    noteReadOnlyPart(in: &facts.access)
    if facts.kind == DeviceKind.camera.name, facts.confinement.application != nil {
      facts.portal = storedAnswer(of: facts.confinement)
    }
    addPolicies(to: &facts)
    let privateMounts = privateMounts(of: facts)
    if !privateMounts.isEmpty { facts.confinement.privateMounts = privateMounts }
    if let unit = view.unit, unit.needsOverlay { apply(unit, to: &facts) }
  }

  /// Returns the answer for a sandbox that is stored in the permission store of the caller's own
  /// session.
  ///
  /// The result is `nil` if the store cannot answer or belongs to another user.
  private mutating func storedAnswer(of confinement: ConfinementFacts) -> PortalFacts? {
    guard ownSubject.ruid == getuid(), let portal = machine.cameraPortal,
      let application = PortalApplication.identifier(of: confinement)
    else {
      note(Unobserved("portal", reason: "its permission store cannot be queried from here"))
      return nil
    }
    let status = portal.status(of: application)
    switch status.permission {
    case .nothing where !status.isReachable: return nil
    case .answer(let answer): return PortalFacts(storedAnswer: answer.rawValue)
    case .nothing: return PortalFacts()
    case .unread(let reason):
      note(Unobserved("portal", reason: reason))
      return nil
    }
  }

  /// Changes the facts to what the processes of a unit would see.
  private mutating func apply(_ unit: UnitView, to facts: inout AccessFacts) {
    var overlay = UnitOverlay(
      unit.settings, of: unit.name.text, roots: roots, owner: unit.owner,
      isRunning: unit.isRunning, securityModules: facts.confinement.securityModules)
    if case .devices(let root) = UnitRoot(unit.settings, target: facts.access.request.path) {
      var other = PathObserver(translator: view.translator, root: root, isForAnother: true)
      PathWalk.walk("/", with: &other)
      overlay.rootNode = other.sighting("/")?.node
    }
    // A running process gets its policies from its control group.
    let deviceCgroup = facts.access.subject.deviceCgroup
    let hasDoubt = facts.access.subject.unobserved.contains(.deviceCgroup)
    let path = facts.access.request.path
    let wasMissing = facts.access.object(at: path) == nil
    overlay.apply(to: &facts.access)
    // A directory that systemd creates for the unit counts as existing.
    if wasMissing, facts.access.object(at: path)?.type == .directory {
      facts.access.request = question.request(for: path, type: .directory)
    }
    if unit.isRunning {
      facts.access.subject.deviceCgroup = deviceCgroup
      if !hasDoubt { facts.access.subject.unobserved.remove(.deviceCgroup) }
    } else {
      facts.confinement.service?.policies = overlay.policies
      facts.confinement.service?.protected = overlay.protected
    }
    seen += overlay.unobserved
  }
}
