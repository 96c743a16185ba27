internal import AccessModel
internal import Synchronization

/// What the looks of one watch have in common, so that it is not read again for each question.
///
/// Devices whose events are received stay until something is told of one, or of what may matter to
/// every question. What nothing tells of, such as the confinement of a process, is looked at when
/// something else happens, and then at most once a second: right after that look, which somebody waits
/// for and which relies on what was known. Files are not kept, nor is what the kernel answers;
/// directories stay until something is told of one.
final class LookMemory: Sendable {
  /// Whose facts they are.
  struct Who: Hashable, Sendable {
    var subject: SubjectSelector
    var variation: SubjectVariation

    init(_ question: Question) {
      subject = question.subject
      variation = question.variation
    }

    /// Not of all of it: most watches have one subject, whose entry is looked for several times for
    /// each event.
    func hash(into hasher: inout Hasher) { hasher.combine(subject) }
  }

  /// What depends on more than the subject.
  struct Key<Detail: Hashable & Sendable>: Hashable, Sendable {
    var who: Who
    var detail: Detail
  }

  /// Something, and what could not be observed about it: an object, because it may be large.
  final class Remembered<Value: Sendable>: Sendable {
    let value: Value
    let unobserved: [Unobserved]

    init(_ value: Value, _ unobserved: [Unobserved]) {
      (self.value, self.unobserved) = (value, unobserved)
    }
  }

  /// The confinement, and the subject with what it adds to it.
  struct Confined: Sendable {
    var facts: ConfinementFacts
    var subject: Subject
  }

  /// What names are looked up for.
  struct Owners: Hashable, Sendable {
    var names: Question.NameLookup
    var others: [UInt32]
    var nodes: [Owner]

    /// The directories on the way are most often the same.
    func hash(into hasher: inout Hasher) {
      hasher.combine(nodes.count)
      hasher.combine(nodes.last)
    }
  }

  /// To whom an object belongs.
  struct Owner: Hashable, Sendable {
    var user: UInt32
    var group: UInt32
    var list: [ACLEntry]?

    init(_ node: Node) { (user, group, list) = (node.uid, node.gid, node.acl) }
  }

  /// A number of a device.
  struct Number: Hashable, Sendable {
    var number: DeviceNumber
    var isBlock: Bool
  }

  /// What is looked at again after a second.
  struct Aging: Sendable {
    let stamp: CredentialStamp
    let birth = ContinuousClock.now
    var views: [Who: SubjectView] = [:]
    var confinements: [Who: Remembered<Confined>] = [:]
    var sessions: [Key<Set<String>>: Remembered<SessionFacts?>] = [:]
    var accounts: [Key<Owners>: Remembered<AccountFacts>] = [:]
    var levels: [AccessCase.Setting: Remembered<Int?>] = [:]
    var devices: [Number: DeviceFacts?] = [:]
    var directories: [Key<PathKey>: KnownDirectories] = [:]
    /// What the latest looks tell of files beside those that they were at, the latest last.
    var kindred: [KindredFacts] = []

    init(_ stamp: CredentialStamp) { self.stamp = stamp }
  }

  private struct State {
    var aging = Aging(CredentialStamp())
    var known = KnownDevices()
    var readCount = 0
    /// Whether the latest looks relied on what is too old.
    var isOld = false
    /// Whether the next look does not.
    var isDue = false
    /// How often devices were forgotten or noted: what was read before then is not kept.
    var generation = 0
  }

  private let state = Mutex(State())
  /// The subsystems whose events are received.
  private let subsystems: Set<String>
  let children = AskingChildren()
  /// What was found in files that say when they changed.
  let files = KnownFiles()

  /// After how long what nothing tells of is looked at again, once something else happens.
  static let longestAge = Duration.seconds(1)
  private let longestAge: Duration
  /// Each is compared with what is asked.
  private static let mostKindred = 4
  /// After more events at a time all devices are listed anew.
  private static let mostNoted = 256

  init(subsystems: Set<String>, longestAge: Duration = longestAge) {
    (self.subsystems, self.longestAge) = (subsystems, longestAge)
  }

  /// Forgets everything, because something happened that may matter to every question.
  func forget() {
    state.withLock { state in
      let generation = state.generation + 1
      state = State()
      state.generation = generation
    }
    children.forget()
  }

  /// Has the next look rely on nothing that is not told: devices may have become others without an
  /// event, too.
  func forgetUntold() {
    forgetDevices()
    state.withLock { $0.isDue = true }
  }

  /// Forgets all devices: any of them may be another one.
  private func forgetDevices() { changeDevices { $0 = KnownDevices() } }

  /// Notes what happened to devices, which alone are looked at again.
  func note(_ events: [DeviceEvent]) {
    // Each is compared with every device.
    guard events.count <= Self.mostNoted else { return forgetDevices() }
    changeDevices { known in for event in events { known.note(event) } }
  }

  /// Notes that a name leads to something else, and so that there may be other devices: a node comes
  /// before the daemon tells of its device.
  func noteOtherDevices() { changeDevices { $0.noteOthers() } }

  private func changeDevices(_ body: (inout KnownDevices) -> Void) {
    state.withLock { state in
      body(&state.known)
      state.generation += 1
      state.aging.devices = [:]
      state.aging.kindred = []
    }
  }

  /// Forgets the directories on the way to objects where one of them may be another, or was not
  /// watched when it was looked at.
  func forgetDirectories(through paths: ChangedPaths) {
    guard paths != .none else { return }
    state.withLock { state in
      state.aging.kindred = []
      guard case .some(let changed) = paths else {
        state.aging.directories = [:]
        return
      }
      // Most often none leads through them, and there is nothing to make anew.
      for key in state.aging.directories.filter({ $0.value.lead(through: changed) }).keys {
        state.aging.directories[key] = nil
      }
    }
  }

  /// The directories on the way to what is in one, as they were looked at.
  func directories(_ key: Key<PathKey>) -> KnownDirectories? {
    state.withLock { $0.aging.directories[key] }
  }

  /// The directories on the way to the object of a question about a path.
  func directories(above question: Question) -> KnownDirectories? {
    guard case .path(let path) = question.target else { return nil }
    return directories(
      Key(who: Who(question), detail: PathKey(AbsolutePath.parent(of: path))))
  }

  /// Keeps what was seen of the directories on the way to what is in one.
  func keep(_ directories: KnownDirectories, for key: Key<PathKey>) {
    state.withLock { $0.aging.directories[key] = directories }
  }

  /// What the latest looks tell of files beside those that they were at.
  var kindred: [KindredFacts] { state.withLock { $0.aging.kindred } }

  /// Keeps what a look tells of other files, as long as ``keep(_:for:)`` of its directories.
  func keep(_ kindred: KindredFacts) {
    state.withLock { state in
      if state.aging.kindred.count == Self.mostKindred { state.aging.kindred.removeFirst() }
      state.aging.kindred.append(kindred)
    }
  }

  /// Forgets what belongs to other credentials of the calling thread, and what is too old once a look
  /// has relied on it.
  ///
  /// - Parameter tellsOfDevices: Whether the events of devices are received for now.
  func age(tellsOfDevices: Bool) {
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
      if !tellsOfDevices { state.known = KnownDevices() }
    }
  }

  /// Whether looks since this was last called relied on what was too old, which the next one does not.
  func takeAge() -> Bool {
    state.withLock { state in
      defer { state.isOld = false }
      if state.isOld { state.isDue = true }
      return state.isOld
    }
  }

  /// How often something was read because it was not known.
  var readCount: Int { state.withLock { $0.readCount } }

  /// Something that ages, as it is known or is read now.
  ///
  /// - Parameters:
  ///   - known: Looks it up.
  ///   - keep: Keeps it.
  ///   - read: Reads it.
  /// - Throws: What `read` throws.
  /// - Returns: What is known or was read.
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

  /// The device of a number, as it is known or is read now.
  func device(_ number: Number, _ read: () -> DeviceFacts?) -> DeviceFacts? {
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

  /// The devices of a subsystem, as they are known or are read now.
  ///
  /// - Throws: `unavailable` when they cannot be listed.
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

  /// What the USB bus tells of hardware of a kind, as it is known or is read now.
  func bus(
    seenFor kind: DeviceKind, _ read: () -> HardwareObserver.SeenOnUSB
  ) -> HardwareObserver.SeenOnUSB {
    let (known, generation) = state.withLock { ($0.known.buses[kind.name], $0.generation) }
    if let known { return known }
    let seen = read()
    state.withLock { state in
      state.readCount += 1
      let isTold = DeviceKind.usb.subsystem.map(subsystems.contains) ?? false
      if state.generation == generation, isTold { state.known.buses[kind.name] = seen }
    }
    return seen
  }
}
