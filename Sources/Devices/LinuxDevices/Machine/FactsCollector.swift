package import AccessModel

/// Collects the facts that answer one question.
///
/// The running system and a machine in memory differ only in the source.
package struct FactsCollector<Source: MachineObservation & ~Copyable>: ~Copyable {
  private var source: Source
  private let question: Question
  /// The seats of the devices in question.
  private var seats: Set<String> = []

  package init(_ question: Question, from source: consuming Source) {
    self.source = source
    self.question = question
  }

  /// Returns the facts; if the question is about a path, the path is absolute.
  ///
  /// - Throws: `unavailable` if the devices of a kind cannot be listed.
  package consuming func facts() throws(DeviceError) -> AccessFacts {
    var facts: AccessFacts
    switch question.target {
    case .kind(.album): facts = albumFacts()
    case .kind(let kind): facts = self.facts(kind, try source.devices(of: kind))
    case .path(let path): facts = self.facts(at: path)
    }
    addRules(to: &facts)
    facts.unobserved = source.unobserved
    if question.names == .fewWhenRefused, facts.answer != .allowed {
      addNames(to: &facts)
      facts.unobserved = source.unobserved
    }
    return facts
  }

  // MARK: A path

  private mutating func facts(at path: String) -> AccessFacts {
    let end = source.walk(path)
    var device: DeviceFacts?
    if let end { device = source.device(behind: end) }
    if let device { walkLocks(of: [device]) }
    let companions = companions(of: device, at: path)
    let companionDevices = walk(companions)
    let interpreters = interpreters(of: end)
    var facts = finish(
      kind: nil, request: question.request(for: path, type: end?.type),
      candidates: [path] + companions + interpreters,
      seats: Set([device?.seat ?? "seat0", "seat0"]))
    facts.interpreters = interpreters
    facts.devices = neighbours(of: device, end, at: path)
    for device in companionDevices
    where !facts.devices.contains(where: { $0.sysfsPath == device.sysfsPath }) {
      facts.devices.append(device)
    }
    if end == nil { addMissing(path, to: &facts) }
    if device == nil, let end, end.type.isDevice { addNumber(of: end, to: &facts) }
    if end?.isKernelLog == true {
      facts.confinement.restrictsKernelLog = source.restrictsKernelLog()
    }
    if end?.mayBeLockedDown == true { facts.confinement.lockdown = source.lockdown() }
    if end?.isOwnTerminal == true { facts.confinement.hasTerminal = source.hasTerminal() }
    addDaemon(to: &facts)
    addKeepers(to: &facts)
    addRaw(device.map { [$0] } ?? [], to: &facts)
    return facts
  }

  /// Returns the device and its neighbours, such as the camera next to a metadata node.
  ///
  /// A neighbour can also be the device itself under a new number, after a replug. Only devices of
  /// a known kind have neighbours: a question about `/dev/null` is not about another memory device.
  private mutating func neighbours(
    of device: DeviceFacts?, _ end: Node?, at path: String
  ) -> [DeviceFacts] {
    guard device != nil || path.hasPrefix("/dev/") else { return [] }
    let name = AbsolutePath.components(of: path).last ?? ""
    let subsystem = DeviceKind.all.compactMap(\.subsystem).first { $0 == device?.subsystem }
    let kind = DeviceKind.all.first { kind in
      guard kind.subsystem != nil, !kind.namePrefixes.isEmpty else { return false }
      if let subsystem { return kind.subsystem == subsystem }
      return path.hasPrefix("/dev/") && kind.namePrefixes.contains { name.hasPrefix($0) }
    }
    let own = device.map { [$0] } ?? []
    guard let kind else {
      guard end == nil, let missing = source.device(missingAt: path) else { return own }
      return [missing]
    }
    do throws(DeviceError) {
      let siblings = kind.members(in: try source.devices(of: kind))
      // The device at the path is of another kind and only has the name of one of the siblings.
      guard siblings.contains(where: { $0.sysfsPath == device?.sysfsPath }) else {
        return own + siblings
      }
      guard let end else { return siblings }
      var ends = [end.path: end]
      if !siblings.contains(where: { $0.node == end.path }) {
        // The node was created elsewhere. If the device's own node exists, the device keeps it.
        guard let node = device?.node else { return siblings }
        ends[node] = source.walk(node)
      }
      return siblings.placed(at: ends)
    } catch {
      let reason = error.errno?.reason ?? error.code.description
      source.note(Unobserved(Unobserved.devicesLayer, at: error.path, reason: reason))
      return own
    }
  }

  // MARK: A kind

  /// Returns the facts about a kind of device.
  ///
  /// The kernel is asked about every listed node. The request names the first candidate.
  private mutating func facts(_ kind: DeviceKind, _ devices: [DeviceFacts]) -> AccessFacts {
    let devices = devices.placed(
      of: kind, end: { source.walk($0) }, others: { source.nodes(numbered: $0) })
    let candidates = kind.candidates(in: devices).compactMap(\.node)
    let nodes = kind.members(in: devices).compactMap(\.node)
    walkLocks(of: devices)
    let companions =
      nodes.isEmpty ? [] : self.companions(of: kind, isPipeline: candidates.isEmpty)
    let companionDevices = walk(companions)
    let chosen = candidates.first ?? kind.conventionalPath(besides: Set(nodes))
    let end = source.walk(chosen)
    var facts = finish(
      kind: kind.name, request: question.request(for: chosen, type: end?.type),
      candidates: (candidates.isEmpty ? [chosen] : []) + nodes + companions,
      seats: Set(devices.map(\.seat)).union(["seat0"]))
    facts.devices = devices + companionDevices
    if !devices.isEmpty { source.observeDatabase() }
    if candidates.isEmpty {
      if kind.isFoundOnBuses { facts.hardware = source.observeHardware(of: kind) }
      if let end, end.type.isDevice { addNumber(of: end, to: &facts) }
      let unknown = source.unknownNodes(of: kind, besides: devices)
      if !unknown.isEmpty { facts.addHardware { $0.unknownNodes = unknown } }
    }
    addDaemon(to: &facts)
    addKeepers(to: &facts)
    if kind == .usb { addRaw(devices, to: &facts) }
    return facts
  }

  /// Returns the nodes that programs open together with those of a kind.
  ///
  /// For webcams, these are only the media controllers.
  private func companions(of kind: DeviceKind, isPipeline: Bool) -> [String] {
    let paths = source.companions(of: kind)
    return isPipeline || kind != .camera ? paths : paths.filter { $0.hasPrefix("/dev/media") }
  }

  /// Returns the nodes that programs open together with the node of a device.
  private func companions(of device: DeviceFacts?, at path: String) -> [String] {
    guard question.purpose == .use else { return [] }
    if NodeCompanions.isNVIDIA(path) {
      return source.companions(of: .gpu).filter { NodeCompanions.isNVIDIA($0) && $0 != path }
    }
    guard let device else { return [] }
    if device.role == .render { return source.companions(of: .gpu) }
    guard let card = device.soundCard, device.kernelName != "controlC\(card)" else { return [] }
    return ["/dev/snd/controlC\(card)"]
  }

  /// Returns the interpreter of a script, then the interpreter of that interpreter, and so on.
  private mutating func interpreters(of file: Node?) -> [String] {
    guard question.purpose == .use, question.wanted?.contains(.execute) == true else { return [] }
    var paths: [String] = []
    var file = file
    // The kernel follows no more than five (`exec_binprm`).
    while paths.count < 5, let script = file, script.type == .regular,
      let path = source.interpreter(of: script)
    {
      paths.append(path)
      file = source.walk(path)
    }
    return paths
  }

  /// Walks to the companions, and returns the devices that exist.
  private mutating func walk(_ companions: [String]) -> [DeviceFacts] {
    var devices: [DeviceFacts] = []
    for path in companions {
      if let end = source.walk(path), let device = source.device(behind: end) {
        devices.append(device)
      }
    }
    return devices
  }

  /// Returns the facts about the pictures directory.
  private mutating func albumFacts() -> AccessFacts {
    let album = source.observeAlbum()
    // Without a home directory, the path is one that does not exist.
    let path = album.path ?? "/nonexistent/Pictures"
    let end = source.walk(path)
    var facts = finish(
      kind: DeviceKind.album.name, request: question.request(for: path, type: end?.type),
      candidates: [path], seats: ["seat0"])
    facts.album = album
    return facts
  }

  /// Adds facts that could explain a missing path: a driver, or another directory for pictures.
  private mutating func addMissing(_ path: String, to facts: inout AccessFacts) {
    if let kind = Self.kind(ofMissing: path) {
      facts.hardware = source.observeHardware(of: kind)
    } else if path.hasPrefix("/dev/") {
      guard let module = source.module(ofNode: path) else { return }
      facts.addHardware { $0.modules = [module] }
    } else if let home = source.home,
      path == "\(home)/Pictures" || path.hasPrefix("\(home)/Pictures/")
    {
      facts.album = source.observeAlbum()
    }
  }

  /// Returns the kind of hardware whose nodes have names like that of the missing path.
  private static func kind(ofMissing path: String) -> DeviceKind? {
    if path.hasPrefix("/dev/video") { return .camera }
    if path.hasPrefix("/dev/snd/pcm") { return .microphone }
    if path.hasPrefix("/dev/dri/renderD") { return .gpu }
    return path.hasPrefix("/dev/ttyUSB") || path.hasPrefix("/dev/ttyACM") ? .serial : nil
  }

  private mutating func addNumber(of node: Node, to facts: inout AccessFacts) {
    guard let number = source.number(of: node) else { return }
    facts.addHardware { $0.numbers.append(number) }
  }

  /// Adds facts about the udev daemon, for devices that it has not finished processing.
  private mutating func addDaemon(to facts: inout AccessFacts) {
    let unfinished = facts.devices.filter { $0.node != nil && !$0.isInitialized }
    guard !unfinished.isEmpty else { return }
    let hasControl = source.observeDaemon(for: unfinished)
    let hasDaemon = hasControl == false ? source.hasDaemon : nil
    facts.addHardware {
      $0.hasUdevControl = hasControl
      $0.hasUdevDaemon = hasDaemon
    }
  }

  /// Walks to the directory of the lock files that mark a serial port as used.
  private mutating func walkLocks(of devices: [DeviceFacts]) {
    guard devices.contains(where: { $0.subsystem == DeviceKind.serial.subsystem }) else { return }
    source.walk(AccessFacts.lockDirectory)
  }

  /// Adds the services that reserve serial ports for logins, and those that probe them for modems.
  private mutating func addKeepers(to facts: inout AccessFacts) {
    let ports = facts.devices.filter { $0.subsystem == DeviceKind.serial.subsystem }
    let keepers = source.keepers(of: ports.compactMap(\.node))
    if !keepers.isEmpty { facts.addHardware { $0.keepers = keepers } }
    let probed = ports.isEmpty ? [] : source.probedPorts(ports)
    if !probed.isEmpty { facts.addHardware { $0.ports = probed } }
  }

  /// Adds the drivers of raw USB devices, and the devices and interfaces that are not authorized.
  private mutating func addRaw(_ devices: [DeviceFacts], to facts: inout AccessFacts) {
    let devices = devices.filter { $0.subsystem == DeviceKind.usb.subsystem && $0.node != nil }
    guard !devices.isEmpty else { return }
    if let raw = source.observeRaw(devices) {
      facts.addHardware {
        $0.interfaces = raw.interfaces
        $0.usb = raw.usb
        $0.services = raw.services
      }
    }
    let hardware = facts.hardware ?? HardwareFacts()
    guard devices.contains(where: hardware.isCardReader), let cards = source.cardService() else {
      return
    }
    facts.addHardware { $0.cards = cards }
  }

  /// Adds the effect of udev's rules on the device in question.
  private mutating func addRules(to facts: inout AccessFacts) {
    var file: String?
    switch question.rules {
    case .none: return
    case .whenRefused:
      let path = facts.access.request.path
      let checks = facts.kernelChecks.filter { $0.path == path }
      if !checks.isEmpty, checks.allSatisfy({ $0.errno == 0 }) { return }
    case .all: break
    case .withFile(let path): file = path
    }
    let path = facts.access.request.path
    let object = facts.access.object(at: path)
    let device = facts.devices.first { device in
      device.node == path || device.node == object?.path
        || object?.rdev != nil && device.number == object?.rdev
          && (device.subsystem == "block") == (object?.type == .blockDevice)
    }
    guard device != nil || path.hasPrefix("/dev/") else { return }
    facts.rules = source.observeRules(
      of: device, node: device?.node ?? object?.path ?? path, and: file)
  }

  // MARK: Every question

  /// Returns the facts for a request, with the kernel's answers about the given paths.
  private mutating func finish(
    kind: String?, request: Request, candidates: [String], seats: Set<String>
  ) -> AccessFacts {
    let confinement = source.observeConfinement()
    let mounts = source.observeMounts()
    let nodes = source.nodes
    var facts = AccessFacts(
      kind: kind,
      access: AccessCase(
        protectedSymlinks: true, mounts: mounts, nodes: nodes, subject: source.subject,
        request: request))
    facts.origin = source.origin
    self.seats = seats
    if question.names == .all || question.names == .few { addNames(to: &facts) }
    source.readSettings(into: &facts.access)
    facts.confinement = confinement
    let paths = candidates + [facts.access.creationDirectory].compactMap(\.self)
    facts.kernelChecks = source.kernelChecks(
      questions(about: paths, request, isFiltered: confinement.seccompMode == 2))
    source.complete(&facts)
    return facts
  }

  /// Adds the login session, and the names of the subject and of the owners of the nodes.
  private mutating func addNames(to facts: inout AccessFacts) {
    facts.session = source.observeSession(seats: seats)
    let others =
      facts.session.map { Array($0.activeUsers.values) + [$0.user].compactMap(\.self) } ?? []
    facts.account = source.observeAccounts(of: facts.access.nodes, others: others)
  }

  /// Returns the questions to the kernel: whether each path can be read, written, or both.
  private func questions(
    about paths: [String], _ request: Request, isFiltered: Bool
  ) -> [KernelQuestion] {
    var modes: [Permissions] = [.read, .write, [.read, .write]]
    if request.creates { modes.append([.write, .search]) }
    if case .access(_, let mode, _, _) = request {
      modes += [.search, [.read, .search], [.write, .search], [.read, .write, .search]]
      if !modes.contains(mode) { modes.append(mode) }
    }
    // A seccomp filter cannot distinguish paths, so its answer for one path applies to all.
    let isControlled = isFiltered && !paths.contains(AccessFacts.controlPath)
    let controls = isControlled ? [AccessFacts.controlPath] : []
    return (paths + controls).map { KernelQuestion($0, modes) }
  }
}

extension AccessFacts {
  fileprivate mutating func addHardware(_ body: (inout HardwareFacts) -> Void) {
    var facts = hardware ?? HardwareFacts()
    body(&facts)
    hardware = facts
  }
}
