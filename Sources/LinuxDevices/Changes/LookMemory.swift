internal import AccessModel
internal import Synchronization

/// What the looks of one watch have in common, so that it is not read again for each question.
///
/// Devices whose events are received stay until something is told of one, or of what may matter to
/// every question. What nothing tells of, such as the confinement of a process, is looked at when
/// something else happens, and then at most once a second. Files are not kept, nor is what the
/// kernel answers; directories stay until something is told of one.
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
    var devices: [Number: DeviceFacts] = [:]
    var lists: [String: [DeviceFacts]] = [:]
    var readCount = 0
  }

  private let state = Mutex(State())
  /// The subsystems whose events are received.
  private let subsystems: Set<String>
  let children = AskingChildren()

  private static let longestAge = Duration.seconds(1)
  /// Each is compared with what is asked.
  private static let mostKindred = 4

  init(subsystems: Set<String>) { self.subsystems = subsystems }

  /// Forgets everything, because something happened that may matter to every question.
  func forget() {
    state.withLock { $0 = State() }
    children.forget()
  }

  /// Forgets which devices there are, because something was told of one, or a name leads to something
  /// else: a node comes before the daemon tells of its device.
  func forgetDevices() {
    state.withLock { state in
      (state.devices, state.lists) = ([:], [:])
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

  /// Forgets what is too old, or belongs to other credentials of the calling thread.
  ///
  /// - Parameter tellsOfDevices: Whether the events of devices are received for now.
  func age(tellsOfDevices: Bool) {
    let stamp = CredentialStamp()
    state.withLock { state in
      let age = state.aging.birth.duration(to: .now)
      guard state.aging.stamp != stamp || age >= Self.longestAge else { return }
      state.aging = Aging(stamp)
      if !tellsOfDevices { (state.devices, state.lists) = ([:], [:]) }
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
    if let known = state.withLock({ $0.devices[number] }) { return known }
    func readAndKeep() -> DeviceFacts? {
      let device = read()
      if let device, subsystems.contains(device.subsystem) {
        state.withLock { $0.devices[number] = device }
      }
      return device
    }
    return recall(
      { $0.devices[number] }, keep: { $0.devices[number] = $1 }, read: readAndKeep)
  }

  /// The devices of a subsystem, as they are known or are read now.
  func devices(
    of subsystem: String, _ read: () throws(DeviceError) -> [DeviceFacts]
  ) throws(DeviceError) -> [DeviceFacts] {
    if let known = state.withLock({ $0.lists[subsystem] }) { return known }
    let devices = try read()
    guard subsystems.contains(subsystem) else { return devices }
    state.withLock { state in
      state.readCount += 1
      state.lists[subsystem] = devices
    }
    return devices
  }
}
