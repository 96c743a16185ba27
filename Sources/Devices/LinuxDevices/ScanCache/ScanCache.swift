internal import AccessModel
internal import Synchronization

/// The facts that the scans of a watch share, so that they are not read again for each question.
///
/// Devices whose events are received are kept until an event concerns them or may concern every
/// question. Facts whose changes cause no events, such as the confinement of a process, are read
/// again when something else happens, but at most once a second. To keep that scan fast, it uses
/// the remembered facts, and the next scan reads them again.
///
/// Files and the kernel's answers are not kept. Directories are kept until an event concerns them.
package final class ScanCache: Sendable {
  /// The subject that facts are about.
  struct Who: Hashable, Sendable {
    var subject: SubjectSelector
    var variation: SubjectVariation

    init(_ question: Question) {
      subject = question.subject
      variation = question.variation
    }

    /// Hashes only the subject selector.
    ///
    /// Most watches have one subject, and each event looks it up several times.
    func hash(into hasher: inout Hasher) { hasher.combine(subject) }
  }

  /// A key for facts that depend on more than the subject.
  struct Key<Detail: Hashable & Sendable>: Hashable, Sendable {
    var who: Who
    var detail: Detail
  }

  /// A value and what could not be observed about it.
  ///
  /// This is a class, because the value may be large.
  final class Remembered<Value: Sendable>: Sendable {
    let value: Value
    let unobserved: [Unobserved]

    init(_ value: Value, _ unobserved: [Unobserved]) {
      (self.value, self.unobserved) = (value, unobserved)
    }
  }

  /// The confinement, and the subject with the effects of that confinement.
  struct Confined: Sendable {
    var facts: ConfinementFacts
    var subject: Subject
  }

  /// The owners whose names are looked up.
  struct Owners: Hashable, Sendable {
    var names: Question.NameLookup
    var others: [UInt32]
    var nodes: [Owner]

    /// Hashes only the last node, because the directories on the path are usually the same.
    func hash(into hasher: inout Hasher) {
      hasher.combine(nodes.count)
      hasher.combine(nodes.last)
    }
  }

  /// The owner of an object, and its ACL.
  struct Owner: Hashable, Sendable {
    var user: UInt32
    var group: UInt32
    var list: [ACLEntry]?

    init(_ node: Node) { (user, group, list) = (node.uid, node.gid, node.acl) }
  }

  /// The facts that are read again after a second.
  struct Aging: Sendable {
    let stamp: CredentialStamp
    let birth = ContinuousClock.now
    var views: [Who: SubjectView] = [:]
    var confinements: [Who: Remembered<Confined>] = [:]
    var sessions: [Key<Set<String>>: Remembered<SessionFacts?>] = [:]
    var accounts: [Key<Owners>: Remembered<AccountFacts>] = [:]
    var levels: [AccessCase.Setting: Remembered<Int?>] = [:]
    var devices: [NodeNumber: DeviceFacts?] = [:]
    var directories: [Key<PathKey>: KnownDirectories] = [:]
    /// The facts of recent scans that also apply to similar files, the latest last.
    var similarFiles: [SimilarFileFacts] = []

    init(_ stamp: CredentialStamp) { self.stamp = stamp }
  }

  private struct State {
    var aging = Aging(CredentialStamp())
    var known = CachedDevices()
    var readCount = 0
    /// A Boolean value that indicates whether recent scans relied on facts that are too old.
    var isOld = false
    /// A Boolean value that indicates whether the next scan discards those facts.
    var isDue = false
    /// The number of times that cached devices were forgotten or events recorded.
    ///
    /// If the number changes while a device is being read, the device is not cached.
    var generation = 0
  }

  private let state = Mutex(State())
  /// The subsystems whose events are received.
  private let subsystems: Set<String>
  let children = KernelCheckChildren()
  /// The names found in files, as long as these do not change.
  let files = KnownFiles()

  /// The age at which facts without events are read again, once something else happens.
  package static let longestAge = Duration.seconds(1)
  private let longestAge: Duration
  /// The maximum number of facts to keep for similar files, each of which is compared with a
  /// question.
  private static let mostSimilarFiles = 4
  /// The maximum number of events to handle one by one; after more, all devices are listed again.
  private static let mostNoted = 256

  package init(subsystems: Set<String>, longestAge: Duration = longestAge) {
    (self.subsystems, self.longestAge) = (subsystems, longestAge)
  }

  /// Forgets everything, because an event may concern every question.
  package func forget() {
    state.withLock { state in
      let generation = state.generation + 1
      state = State()
      state.generation = generation
    }
    children.forget()
  }

  /// Forgets the devices, and makes the next scan read all facts whose changes cause no events.
  ///
  /// Devices may also have changed without an event.
  package func forgetUnreported() {
    forgetDevices()
    state.withLock { $0.isDue = true }
  }

  /// Forgets all devices, because any of them may have changed.
  private func forgetDevices() { changeDevices { $0 = CachedDevices() } }

  /// Forgets only the devices that the events concern.
  package func note(_ events: [DeviceEvent]) {
    // Each event is compared with every device.
    guard events.count <= Self.mostNoted else { return forgetDevices() }
    changeDevices { known in for event in events { known.note(event) } }
  }

  /// Records that a path leads to another object, so there may be other devices.
  ///
  /// A node appears before the udev daemon reports its device.
  package func noteOtherDevices() { changeDevices { $0.noteOthers() } }

  private func changeDevices(_ body: (inout CachedDevices) -> Void) {
    state.withLock { state in
      body(&state.known)
      state.generation += 1
      state.aging.devices = [:]
      state.aging.similarFiles = []
    }
  }

  /// Forgets the directories on the path to an object if one of them may have changed.
  ///
  /// A directory also counts as changed if it was not watched yet when it was inspected.
  package func forgetDirectories(through paths: ChangedPaths) {
    guard paths != .none else { return }
    state.withLock { state in
      state.aging.similarFiles = []
      guard case .some(let changed) = paths else {
        state.aging.directories = [:]
        return
      }
      // Usually no directory is affected, so the dictionary is not copied.
      for key in state.aging.directories.filter({ $0.value.lead(through: changed) }).keys {
        state.aging.directories[key] = nil
      }
    }
  }

  /// Returns the known directories on the path to the objects in a directory.
  func directories(_ key: Key<PathKey>) -> KnownDirectories? {
    state.withLock { $0.aging.directories[key] }
  }

  /// Returns the known directories on the path to the object of a question.
  func directories(above question: Question) -> KnownDirectories? {
    guard case .path(let path) = question.target else { return nil }
    return directories(
      Key(who: Who(question), detail: PathKey(AbsolutePath.parent(of: path))))
  }

  /// Keeps the inspected directories on the path to the objects in a directory.
  func keep(_ directories: KnownDirectories, for key: Key<PathKey>) {
    state.withLock { $0.aging.directories[key] = directories }
  }

  /// The facts of recent scans that also apply to similar files.
  var similarFiles: [SimilarFileFacts] { state.withLock { $0.aging.similarFiles } }

  /// Keeps facts that apply to similar files until their directories or devices change.
  func keep(_ facts: SimilarFileFacts) {
    state.withLock { state in
      if state.aging.similarFiles.count == Self.mostSimilarFiles {
        state.aging.similarFiles.removeFirst()
      }
      state.aging.similarFiles.append(facts)
    }
  }

  /// Forgets facts that belong to other credentials of the calling thread, and facts that are too
  /// old.
  ///
  /// When facts become too old, they are used for one more scan before they are forgotten.
  ///
  /// - Parameter reportsDevices: A Boolean value that indicates whether device events are currently
  ///   received.
  package func age(reportsDevices: Bool) {
    let stamp = CredentialStamp()
    state.withLock { state in
      if state.isDue || state.aging.stamp != stamp {
        state.aging = Aging(stamp)
        (state.isOld, state.isDue) = (false, false)
      } else if state.aging.birth.duration(to: .now) >= longestAge {
        state.isOld = true
      } else {
        return
      }
      if !reportsDevices { state.known = CachedDevices() }
    }
  }

  /// Returns whether scans since the last call relied on facts that are too old.
  ///
  /// If so, the next scan reads those facts again.
  package func takeAge() -> Bool {
    state.withLock { state in
      defer { state.isOld = false }
      if state.isOld { state.isDue = true }
      return state.isOld
    }
  }

  /// The number of facts that were read because they were not known.
  var readCount: Int { state.withLock { $0.readCount } }

  /// Returns a known fact, or reads it and keeps it.
  ///
  /// - Parameters:
  ///   - known: Returns the fact if it is known.
  ///   - keep: Stores the fact.
  ///   - read: Reads the fact.
  /// - Throws: The error that `read` throws.
  /// - Returns: The fact.
  func recall<Value: Sendable, Failure>(
    _ known: (Aging) -> Value?, keep: (inout Aging, Value) -> Void,
    read: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if let known = state.withLock({ known($0.aging) }) { return known }
    let value = try read()
    state.withLock { state in
      state.readCount += 1
      keep(&state.aging, value)
    }
    return value
  }

  /// Returns the device with a number, or reads it if it is not known.
  func device(_ number: NodeNumber, _ read: () -> DeviceFacts?) -> DeviceFacts? {
    let (known, generation) = state.withLock { ($0.known.devices[number], $0.generation) }
    if let known { return known }
    func readAndKeep() -> DeviceFacts? {
      let device = read()
      if let device, subsystems.contains(device.subsystem) {
        state.withLock { if $0.generation == generation { $0.known.devices[number] = device } }
      }
      return device
    }
    return recall(
      { $0.devices[number] }, keep: { $0.devices[number] = $1 }, read: readAndKeep)
  }

  /// Returns the devices of a subsystem, or lists them if they are not known.
  ///
  /// - Throws: `unavailable` if they cannot be listed.
  func devices(
    of subsystem: String, with enumerator: DeviceEnumerator
  ) throws(DeviceError) -> [DeviceFacts] {
    let (known, generation) = state.withLock { ($0.known.lists[subsystem], $0.generation) }
    if let known, !known.isStale { return known.devices }
    var list: DeviceList
    if let known {
      list = known
      try list.refresh(with: enumerator)
    } else {
      list = try enumerator.list(ofSubsystem: subsystem)
    }
    state.withLock { [list] state in
      state.readCount += 1
      if state.generation == generation, subsystems.contains(subsystem) {
        state.known.lists[subsystem] = list
      }
    }
    return list.devices
  }

  /// Returns the hardware of a kind on the USB bus, or reads it if it is not known.
  func bus(
    seenFor kind: DeviceKind, _ read: () -> HardwareObserver.SeenOnUSB
  ) -> HardwareObserver.SeenOnUSB {
    let (known, generation) = state.withLock { ($0.known.buses[kind.name], $0.generation) }
    if let known { return known }
    let seen = read()
    state.withLock { state in
      state.readCount += 1
      let isReported = DeviceKind.usb.subsystem.map(subsystems.contains) ?? false
      if state.generation == generation, isReported { state.known.buses[kind.name] = seen }
    }
    return seen
  }
}

/// The inspected devices of a watch, as long as their events are received.
struct CachedDevices: Sendable {
  var devices: [NodeNumber: DeviceFacts] = [:]
  var lists: [String: DeviceList] = [:]
  /// The hardware without a node on the USB bus, by the names of device kinds.
  var buses: [String: HardwareObserver.SeenOnUSB] = [:]

  /// Forgets what an event may have changed.
  mutating func note(_ event: DeviceEvent) {
    // The event does not connect a moved device with its previous path, so everything is forgotten.
    guard let path = event.sysfsPath, event.action != .move else {
      self = CachedDevices()
      return
    }
    if event.subsystem == DeviceKind.usb.subsystem { buses = [:] }
    for subsystem in lists.keys {
      lists[subsystem]?.note(
        changeAt: path, isOwn: subsystem == event.subsystem, isGone: event.action == .remove)
    }
    let below = path + "/"
    for (number, device) in devices
    where device.sysfsPath == path || device.sysfsPath.hasPrefix(below) {
      devices[number] = nil
    }
  }

  /// Records that the lists may lack devices.
  mutating func noteOthers() {
    devices = [:]
    buses = [:]
    for subsystem in lists.keys { lists[subsystem]?.noteOthers() }
  }
}

/// The paths that may lead to other objects than before.
package enum ChangedPaths: Equatable, Sendable {
  /// All paths, because the changed ones are unknown.
  case all
  /// The given paths, and everything below them.
  case some(Set<String>)

  /// No paths.
  package static let none = Self.some([])

  /// Adds other paths.
  package mutating func formUnion(_ other: Self) {
    guard case .some(let mine) = self, case .some(let others) = other else {
      self = .all
      return
    }
    if !others.isEmpty { self = .some(mine.isEmpty ? others : mine.union(others)) }
  }
}
