package import AccessModel

/// A source of facts for one question: a machine, as one subject sees it.
///
/// ``FactsCollector`` asks each question at most once. A source records in ``unobserved`` what it
/// could not observe.
package protocol MachineObservation: ~Copyable {
  /// The subject, which ``observeConfinement()`` may complete.
  var subject: Subject { get }
  /// The origin of the subject; `nil` for the calling thread as it is.
  var origin: SubjectOrigin? { get }
  /// Every object on the walked paths.
  var nodes: [Node] { get }
  /// All relevant facts that could not be observed so far.
  var unobserved: [Unobserved] { get }

  /// Records something that could not be observed.
  mutating func note(_ unobserved: Unobserved)

  /// Walks a path as the kernel does.
  ///
  /// - Returns: The object at the end; `nil` if the walk did not reach it.
  @discardableResult
  mutating func walk(_ path: String) -> Node?

  /// Returns the interpreter in the first line of a script; `nil` for any other file.
  ///
  /// If the file cannot be read, the source records that.
  mutating func interpreter(of file: Node) -> String?

  /// Returns whether reading the kernel log requires a capability, or records that this is unknown.
  mutating func restrictsKernelLog() -> Bool?

  /// Returns the lockdown level of the kernel, or records that it is unknown.
  mutating func lockdown() -> LockdownLevel?

  /// Returns whether the subject has a controlling terminal, or records that this is unknown.
  mutating func hasTerminal() -> Bool?

  // MARK: Devices

  /// Returns the devices in the subsystem of a kind.
  ///
  /// - Throws: `unavailable` if they cannot be listed.
  func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts]
  /// Returns the device that a node represents; `nil` if it is not a known device.
  func device(behind node: Node) -> DeviceFacts?
  /// Returns the device whose node is missing at a path below `/dev`.
  ///
  /// The result is `nil` if the kernel has no device with that name.
  func device(missingAt path: String) -> DeviceFacts?
  /// Returns what the kernel shows about the number of a node that belongs to no known device.
  ///
  /// If nothing shows which devices exist, the source records that.
  mutating func number(of node: Node) -> HardwareFacts.Number?
  /// Returns the nodes that programs open together with nodes of a kind.
  func companions(of kind: DeviceKind) -> [String]
  /// Observes what prevents a device of a kind from having a node.
  mutating func observeHardware(of kind: DeviceKind) -> HardwareFacts?
  /// Returns the module that creates a node below `/dev`.
  ///
  /// The result is `nil` if no module is known that creates it.
  mutating func module(ofNode path: String) -> HardwareFacts.Module?
  /// Returns nodes that could be devices of a kind but are not in its list.
  mutating func unknownNodes(of kind: DeviceKind, besides devices: [DeviceFacts]) -> [String]
  /// Returns the paths of nodes in the subject's `/dev` that have one of the numbers.
  mutating func nodes(numbered numbers: Set<DeviceNumber>) -> [String]
  /// Records that udev's decisions about devices are hidden, if they are.
  mutating func observeDatabase()
  /// Returns whether a udev daemon will finish processing devices; `nil` if this is unknown.
  mutating func observeDaemon(for unfinished: [DeviceFacts]) -> Bool?
  /// A Boolean value that indicates whether a udev daemon is installed; `nil` if this is unknown.
  var hasDaemon: Bool? { get }

  /// Returns the services that reserve the nodes of serial ports for logins, keyed by node.
  func keepers(of nodes: [String]) -> [String: String]

  /// Returns the facts that decide whether ModemManager opens serial ports.
  ///
  /// The result is empty if ModemManager is not running.
  mutating func probedPorts(_ devices: [DeviceFacts]) -> [HardwareFacts.Port]

  /// Observes what prevents programs from using raw USB devices, apart from permissions.
  ///
  /// - Returns: The drivers of their interfaces, and the devices that are not authorized; `nil` if
  ///   nothing prevents programs from using them.
  mutating func observeRaw(_ devices: [DeviceFacts]) -> HardwareFacts?

  /// Returns the access rules for cards in smart-card readers.
  ///
  /// The result is `nil` if no daemon that asks polkit serves them.
  mutating func cardService() -> HardwareFacts.CardService?

  /// Reads the facts that decide how udev's rules treat a device, or a node without a device.
  ///
  /// - Parameters:
  ///   - device: The device; `nil` if the node has none.
  ///   - node: The path of the node, below `/dev`.
  ///   - file: A rules file to read even if it is not in any of udev's folders.
  /// - Returns: The facts; `nil` if this source has none.
  mutating func observeRules(of device: DeviceFacts?, node: String, and file: String?) -> RuleFacts?

  // MARK: The subject and its surroundings

  mutating func observeConfinement() -> ConfinementFacts
  /// The subject's home directory according to the account database.
  var home: String? { get }
  mutating func observeAlbum() -> AlbumFacts
  /// Observes the session of the subject, and the sessions on the given seats.
  mutating func observeSession(seats: Set<String>) -> SessionFacts?
  /// Looks up the names of the subject, the owners of nodes, and other IDs.
  mutating func observeAccounts(of nodes: [Node], others: [UInt32]) -> AccountFacts
  /// Returns the mounts that the walked paths crossed, starting with the one at `/`.
  mutating func observeMounts() -> [Mount]
  /// Reads the kernel settings that affect a case.
  mutating func readSettings(into access: inout AccessCase)
  /// Asks the kernel, and returns the answers that it can give.
  mutating func kernelChecks(_ questions: [KernelQuestion]) -> [KernelCheck]
  /// Adds facts that depend on all others, such as a profile's rule for the path.
  mutating func complete(_ facts: inout AccessFacts)
}

extension MachineObservation where Self: ~Copyable {
  /// The default, for a machine in memory, which does not describe installed programs.
  package var hasDaemon: Bool? { nil }

  /// The default, for a machine in memory, whose files have no contents.
  package mutating func interpreter(of file: Node) -> String? { nil }

  /// The default, for a machine in memory, which has only the devices of its kinds.
  package func device(missingAt path: String) -> DeviceFacts? { nil }

  /// The default, for a machine in memory, which has no login services.
  package func keepers(of nodes: [String]) -> [String: String] { [:] }

  /// The default, for a machine in memory, which does not run ModemManager.
  package mutating func probedPorts(_ devices: [DeviceFacts]) -> [HardwareFacts.Port] { [] }

  /// The default, for a machine in memory, which has no drivers.
  package mutating func observeRaw(_ devices: [DeviceFacts]) -> HardwareFacts? { nil }

  /// The default, for a machine in memory, which has no smart-card daemon.
  package mutating func cardService() -> HardwareFacts.CardService? { nil }

  /// The default, for a machine in memory, which has no udev rules.
  package mutating func observeRules(
    of device: DeviceFacts?, node: String, and file: String?
  ) -> RuleFacts? { nil }
}
