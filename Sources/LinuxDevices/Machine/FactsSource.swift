package import AccessModel

/// What the facts of one question are put together from: a machine, seen by one subject.
///
/// ``FactsCollector`` asks each question at most once. What a source could not observe it keeps,
/// and hands over in ``unobserved``.
package protocol FactsSource: ~Copyable {
  /// The subject; ``observeConfinement()`` may add to what is known of it.
  var subject: Subject { get }
  /// Where the subject comes from; `nil` for the calling thread as it is.
  var origin: SubjectOrigin? { get }
  /// Every object that was met on the way to the walked paths.
  var nodes: [Node] { get }
  /// What could have mattered and could not be observed, so far.
  var unobserved: [Unobserved] { get }

  /// Adds something that could not be observed.
  mutating func note(_ unobserved: Unobserved)

  /// Goes a path as the kernel does, and returns the object at its end.
  ///
  /// - Returns: `nil` when the end was not reached.
  @discardableResult
  mutating func walk(_ path: String) -> Node?

  /// The interpreter that the first line of a script names; `nil` for any other file. Notes where a file
  /// cannot be read.
  mutating func interpreter(of file: Node) -> String?

  /// Whether reading the kernel's log takes a capability; notes where that cannot be told.
  mutating func restrictsKernelLog() -> Bool?

  /// How far the kernel keeps root from itself; notes where that cannot be told.
  mutating func lockdown() -> LockdownLevel?

  /// Whether the subject has a controlling terminal; notes where that cannot be told.
  mutating func hasTerminal() -> Bool?

  // MARK: Devices

  /// The devices of the subsystem of a kind.
  ///
  /// - Throws: `unavailable` when they cannot be listed.
  func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts]
  /// The device that a node stands for; `nil` when it is none, or none that is known.
  func device(behind node: Node) -> DeviceFacts?
  /// The device whose node is missing at a path below `/dev`; `nil` when the kernel has none by that name.
  func device(missingAt path: String) -> DeviceFacts?
  /// What is known of the number of a node that belongs to no device; notes where nothing tells which
  /// devices there are.
  mutating func number(of node: Node) -> HardwareFacts.Number?
  /// The nodes that programs open together with those of a kind.
  func companions(of kind: DeviceKind) -> [String]
  /// What keeps a device of a kind from having a node.
  mutating func observeHardware(of kind: DeviceKind) -> HardwareFacts?
  /// The module that makes a node below `/dev`; `nil` when this kernel has none, or none is known.
  mutating func module(ofNode path: String) -> HardwareFacts.Module?
  /// Nodes that could be devices of a kind, and that its list does not hold.
  mutating func unknownNodes(of kind: DeviceKind, besides devices: [DeviceFacts]) -> [String]
  /// Paths of nodes in the subject's `/dev` that have one of the numbers, whatever their names.
  mutating func nodes(numbered numbers: Set<DeviceNumber>) -> [String]
  /// Notes when what udev decided about devices is hidden.
  mutating func observeDatabase()
  /// Whether a udev daemon will finish with devices; `nil` when that cannot be told.
  mutating func observeDaemon(for unfinished: [DeviceFacts]) -> Bool?
  /// Whether a udev daemon is installed; `nil` when that cannot be told.
  var hasDaemon: Bool? { get }

  /// The services that keep the nodes of serial ports for a login, by the node.
  func keepers(of nodes: [String]) -> [String: String]

  /// What decides whether ModemManager opens serial ports; empty where it does not run.
  mutating func probedPorts(_ devices: [DeviceFacts]) -> [HardwareFacts.Port]

  /// What keeps programs from raw USB devices that may be opened: who has their interfaces, and which
  /// are not authorized; `nil` for nothing.
  mutating func observeRaw(_ devices: [DeviceFacts]) -> HardwareFacts?

  /// Who may use the cards in smart-card readers; `nil` where no daemon that asks polkit serves them.
  mutating func cardService() -> HardwareFacts.CardService?

  /// Reads what decides what udev's rules make of a device, or of a node that no device has.
  ///
  /// - Parameters:
  ///   - device: The device; `nil` where the node has none.
  ///   - node: The path of the node, below `/dev`.
  ///   - file: A file of rules that is read although it may be in no folder of udev's.
  /// - Returns: The facts; `nil` where this source has none.
  mutating func observeRules(of device: DeviceFacts?, node: String, and file: String?) -> RuleFacts?

  // MARK: The subject and what is around it

  mutating func observeConfinement() -> ConfinementFacts
  /// The home directory that the account database names for the subject.
  var home: String? { get }
  mutating func observeAlbum() -> AlbumFacts
  /// The session of the subject, and those of the seats in question.
  mutating func observeSession(seats: Set<String>) -> SessionFacts?
  /// The names of the subject, of the owners of nodes, and of others.
  mutating func observeAccounts(of nodes: [Node], others: [UInt32]) -> AccountFacts
  /// The mounts that the walked paths crossed, the one at `/` first.
  mutating func observeMounts() -> [Mount]
  /// Reads the settings of the kernel that count in a case.
  mutating func readSettings(into access: inout AccessCase)
  /// What the kernel itself answers, as far as it can be asked.
  mutating func kernelChecks(_ questions: [KernelQuestion]) -> [KernelCheck]
  /// Adds what only the whole facts tell: a profile's rule for the path, a unit's own directories.
  mutating func complete(_ facts: inout AccessFacts)
}

extension FactsSource where Self: ~Copyable {
  /// Of a machine that is described nobody knows what is installed.
  package var hasDaemon: Bool? { nil }

  /// The files of a machine that is described have no contents.
  package mutating func interpreter(of file: Node) -> String? { nil }

  /// A machine that is described has the devices of its kinds only.
  package func device(missingAt path: String) -> DeviceFacts? { nil }

  /// A machine that is described has no services for logins.
  package func keepers(of nodes: [String]) -> [String: String] { [:] }

  /// A machine that is described has no ModemManager.
  package mutating func probedPorts(_ devices: [DeviceFacts]) -> [HardwareFacts.Port] { [] }

  /// A machine that is described has no drivers.
  package mutating func observeRaw(_ devices: [DeviceFacts]) -> HardwareFacts? { nil }

  /// A machine that is described has no daemon for cards.
  package mutating func cardService() -> HardwareFacts.CardService? { nil }

  /// A machine that is described has no rules.
  package mutating func observeRules(
    of device: DeviceFacts?, node: String, and file: String?
  ) -> RuleFacts? { nil }
}
