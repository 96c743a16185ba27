internal import AccessModel
internal import LinuxDevices

/// Observes a described machine from the point of view of one subject.
struct DescribedObservation: MachineObservation, PathSource {
  /// The machine, whose subject is the one that observes it.
  private let machine: MachineDescription
  let origin: SubjectOrigin?
  private(set) var nodes: [Node] = []
  private(set) var unobserved: [Unobserved] = []

  init(_ machine: MachineDescription, origin: SubjectOrigin?) {
    self.machine = machine
    self.origin = origin
  }

  var subject: Subject { machine.subject }

  mutating func note(_ unobserved: Unobserved) {
    self.unobserved.append(unobserved)
  }

  // MARK: Paths

  var isForAnother: Bool { origin.map { $0.kind != .ownProcess } ?? false }

  mutating func walk(_ path: String) -> Node? {
    guard let end = PathWalk.walk(path, with: &self) else { return nil }
    return nodes.first { $0.path == end }
  }

  mutating func scan(at path: String) -> InspectedPath {
    guard let node = machine.nodes[path] else { return .absent }
    if !nodes.contains(where: { $0.path == path }) { nodes.append(node) }
    return .found(node)
  }

  mutating func markUnobserved(_ element: Node.Element, at path: String, reason: String) {
    for index in nodes.indices where nodes[index].path == path {
      nodes[index].unobserved.insert(element)
    }
    note(Unobserved(element.rawValue, at: path, reason: reason))
  }

  /// Does nothing, because everything that is described is known.
  mutating func insertUnknown(_ path: String, reason: String) {}

  // MARK: Devices

  func devices(of kind: DeviceKind) -> [DeviceFacts] {
    machine.devices.filter { $0.subsystem == kind.subsystem }
  }

  func device(behind node: Node) -> DeviceFacts? {
    machine.devices.first { $0.number != nil && $0.number == node.rdev }
      ?? machine.devices.first { $0.node == node.path }
  }

  func number(of node: Node) -> HardwareFacts.Number? { nil }

  func companions(of kind: DeviceKind) -> [String] {
    DeviceCompanions.paths(of: kind, among: machine.nodes.keys.sorted())
  }

  func observeHardware(of kind: DeviceKind) -> HardwareFacts? { nil }

  func module(ofNode path: String) -> HardwareFacts.Module? { nil }

  func unknownNodes(of kind: DeviceKind, besides devices: [DeviceFacts]) -> [String] { [] }

  func nodes(numbered numbers: Set<DeviceNumber>) -> [String] {
    machine.nodes.values.filter { node in
      node.type == .characterDevice && node.path.hasPrefix("/dev/")
        && !node.path.dropFirst(5).contains("/")
        && node.rdev.map(numbers.contains) ?? false
    }.map(\.path).sorted()
  }

  func observeDatabase() {}

  func observeDaemon(for unfinished: [DeviceFacts]) -> Bool? { true }

  // MARK: The subject and what is around it

  func observeConfinement() -> ConfinementFacts { machine.confinement }

  func restrictsKernelLog() -> Bool? { machine.confinement.restrictsKernelLog }

  func lockdown() -> LockdownLevel? { machine.confinement.lockdown }

  func hasTerminal() -> Bool? { machine.confinement.hasTerminal }

  var home: String? { machine.users[machine.subjectUser]?.home }

  func observeAlbum() -> AlbumFacts {
    if let path = machine.environment["XDG_PICTURES_DIR"], path.hasPrefix("/") {
      return AlbumFacts(path: path, source: .environment)
    }
    let home = machine.environment["HOME"] ?? home
    return AlbumFacts(path: home.map { $0 + "/Pictures" }, source: .default)
  }

  func observeSession(seats: Set<String>) -> SessionFacts? { machine.session }

  func observeAccounts(of nodes: [Node], others: [UInt32]) -> AccountFacts { machine.account }

  func observeMounts() -> [Mount] { machine.mounts }

  func readSettings(into access: inout AccessCase) {
    access.protectedSymlinks = machine.protectedSymlinks
  }

  func complete(_ facts: inout AccessFacts) {}

  // MARK: The kernel

  /// Returns the answers of the described machine's kernel: those of the model, and the refusals
  /// that the model does not know.
  ///
  /// For a hypothetical subject, it returns none.
  func kernelChecks(_ questions: [KernelQuestion]) -> [KernelCheck] {
    if origin?.isHypothetical == true { return [] }
    guard !questions.isEmpty else { return [] }
    // Prepare the case once, because a machine may have a thousand devices.
    let prepared = PreparedCase(
      AccessCase(
        protectedSymlinks: machine.protectedSymlinks, mounts: machine.mounts,
        nodes: machine.nodes.values.sorted { $0.path < $1.path }, subject: machine.subject,
        request: Self.request(questions[0].path, [])))
    return questions.flatMap { question in
      question.modes.map { mode in
        let path = question.path
        if case .denied(let errno) = prepared.verdict(for: Self.request(path, mode)).outcome {
          return KernelCheck(path: path, mode: mode, errno: errno)
        }
        return KernelCheck(path: path, mode: mode, errno: hiddenRefusal(path, mode) ?? 0)
      }
    }
  }

  private static func request(_ path: String, _ mode: Permissions) -> Request {
    .access(path: path, mode: mode, effective: true, noFollow: false)
  }

  private func hiddenRefusal(_ path: String, _ mode: Permissions) -> Errno? {
    guard !machine.hiddenRefusals.isEmpty else { return nil }
    var walker = Self(machine, origin: origin)
    let end = walker.walk(path)?.path
    return end.flatMap { machine.hiddenRefusal($0, mode) }
  }
}
