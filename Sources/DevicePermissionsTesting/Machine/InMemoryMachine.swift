public import AccessModel
internal import Glibc
public import LegoKit
public import LinuxDevices
internal import Synchronization

/// A machine that a test makes up in memory: the services observe it as they would a real one.
///
/// ```swift
/// let machine = InMemoryMachine {
///   $0.addUser("alice", id: 1000)
///   $0.addCamera()
///   $0.run(as: "alice")
/// }
/// let explanation = try machine.facts(for: Question(.kind(.camera))).explain()
/// ```
///
/// A question about another user is answered for a new login of that user, and variations of the subject by the described groups; processes and units it has none.
///
/// It may be shared between tasks and changed while services use it; a change of its devices
/// reaches ``events()``. What happens over time is scripted by ``change(after:_:)``, on a clock that
/// the test advances.
public final class InMemoryMachine: Machine {
  private struct State {
    var description: MachineDescription
    var opened: [String] = []
    var observers: [Int: AsyncStream<DeviceEvent>.Continuation] = [:]
    var watches: [Int: (continuation: AsyncStream<Void>.Continuation, arrivals: InMemoryArrivals)] =
      [:]
    var nextObserver = 0
    /// The albums that were opened, by their canonical paths.
    var albums: [String: InMemoryAlbum] = [:]

    /// Describes what was added to albums.
    mutating func describePictures() {
      for album in albums.values { album.describePictures(in: &description) }
    }

    /// Has albums take the names that are described; one whose directory is gone takes no more pictures.
    mutating func updateAlbums() {
      let nodes = description.nodes
      albums = albums.filter { nodes[$0.key]?.type == .directory }
      for album in albums.values { album.takeNames(of: description) }
    }
  }

  private let state: Mutex<State>
  /// The clock of ``change(after:_:)``, which stands still until a test advances it.
  ///
  /// Effects of a store wait on another one, `Contractors().clock`, unless the test puts this one there.
  public let clock: TestClock
  private let start: TestClock.Instant
  private let portal: InMemoryPortal?
  private let broker: InMemoryBroker?

  /// Makes a machine from an empty one.
  ///
  /// - Parameters:
  ///   - clock: Its clock, where several machines or a store share one.
  ///   - portal: The portal of its desktop, for cameras and files; `nil` for a machine without one.
  ///   - broker: The broker of its devices; `nil` for a machine without one.
  ///   - configure: Describes it.
  public init(
    clock: TestClock = TestClock(), portal: InMemoryPortal? = nil,
    broker: InMemoryBroker? = nil, _ configure: (inout MachineDescription) -> Void = { _ in }
  ) {
    var description = MachineDescription()
    configure(&description)
    state = Mutex(State(description: description))
    self.clock = clock
    self.portal = portal
    self.broker = broker
    start = clock.now
  }

  /// The portal, which knows the subject by its sandbox.
  public var cameraPortal: (any CameraPortal)? {
    portal.map {
      IdentifyingPortal($0, caller: PortalApplication.identifier(of: description.confinement))
    }
  }
  public var filePortal: (any FilePortal)? { portal }
  public var deviceBroker: (any DeviceBroker)? { broker }

  /// Changes the machine while it runs: plugs, unplugs, logs in, switches sessions.
  ///
  /// ``events()`` receives every device that came, went or changed, and every watch signals.
  public func change(_ body: (inout MachineDescription) -> Void) { changing(body) }

  /// Changes the machine as ``change(_:)`` does; where the body throws, nothing has changed.
  func changing<Result: Sendable, Failure: Error>(
    _ body: (inout MachineDescription) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let elapsed = start.duration(to: clock.now)
    let (result, events, observers, watches) = try state.withLock { (state) throws(Failure) in
      state.describePictures()
      var description = state.description
      description.elapsed = elapsed
      let result = try body(&description)
      let events = DeviceEvent.differences(from: state.description, to: description)
      state.description = description
      state.updateAlbums()
      return (result, events, Array(state.observers.values), Array(state.watches.values))
    }
    let arrivals = events.filter { $0.action == .add }.compactMap(\.node)
    for watch in watches {
      watch.arrivals.add(arrivals)
      watch.continuation.yield()
    }
    for observer in observers {
      for event in events { observer.yield(event) }
    }
    return result
  }

  /// Changes the machine when its ``clock`` has gone on by some time.
  ///
  /// ```swift
  /// machine.change(after: .seconds(60)) { $0.logIn("bob") }
  /// machine.change(after: .seconds(90)) { $0.logOut("bob") }
  /// await machine.clock.advance(by: .seconds(60))
  /// ```
  ///
  /// Changes of one moment are made in the order in which they were scripted. Each is made in
  /// `TestClock.advance(by:)`, and whoever watches the machine is told as by ``change(_:)``. Nobody waits
  /// for them to look: of changes that come faster, only what they lead to is sure to be seen. A test that
  /// wants to see each advances to it, and waits for its element before it goes on. Until it is made, a
  /// change is one of those that `TestClock.waitForSleepers(_:)` counts.
  ///
  /// - Parameters:
  ///   - delay: How much later than now, as the clock shows it; at once where that is nothing.
  ///   - body: Changes the machine.
  public func change(
    after delay: Duration, _ body: @escaping @Sendable (inout MachineDescription) -> Void
  ) {
    _ = clock.schedule(at: clock.now.advanced(by: delay)) { [weak self] in self?.change(body) }
  }

  /// The machine as it is described now.
  var description: MachineDescription {
    state.withLock { state in
      state.describePictures()
      return state.description
    }
  }

  /// The machine as it is described now, at the time that its clock shows.
  var currentDescription: MachineDescription {
    var description = description
    description.elapsed = start.duration(to: clock.now)
    return description
  }

  /// The paths of every device that was opened, in order: a test can assert that nothing was.
  public var openedPaths: [String] {
    state.withLock { $0.opened }
  }

  public func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts] {
    description.devices.filter { $0.subsystem == kind.subsystem }
  }

  public func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    try Self.requirePossible(question.target)
    return try Self.facts(for: question, on: description)
  }

  /// Answers as the running system would: without CAP_SYS_PTRACE the subject sees only the holders
  /// that run as its own user, and those of sound devices, which the driver tells.
  public func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    for target in targets { try Self.requirePossible(target) }
    return try currentDescription.use(of: targets)
  }

  public func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    let question = Question(.path(path), wanted: permissions)
    let access = try facts(for: question).access
    let raised = access.withEffectiveCapabilities()
    let decision = access.decide()
    guard decision.isGranted || raised.decide().isGranted else {
      var errno = Errno.permissionDenied
      if case .denied(let refusal) = decision.outcome { errno = refusal }
      throw DeviceError(.refused, operation: "open", path: path, errno: errno)
    }
    guard access.nodes.first(where: { $0.path == path })?.type.isDevice == true else {
      throw DeviceError(.notADevice, operation: "open", path: path)
    }
    if let errno = description.errorBehindTheModel(opening: path, for: permissions) {
      throw DeviceError(.refused, operation: "open", path: path, errno: errno)
    }
    state.withLock { $0.opened.append(path) }
    let descriptor = unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw DeviceError(.refused, operation: "open", path: path, errno: Errno(rawValue: errno))
    }
    return DeviceDescriptor(adopting: descriptor)
  }

  /// Answers as ``open(_:for:)`` would without raising anything, and as the description says that
  /// the driver does.
  public func probe(
    _ node: String, askedAs path: String, for permissions: Permissions
  ) -> DeviceProbe {
    let description = description
    guard
      let facts = try? Self.facts(
        for: Question(.path(node), wanted: permissions), on: description),
      facts.access.nodes.first(where: { $0.path == node })?.type.isDevice == true
    else { return DeviceProbe() }
    var errno: Errno = 0
    if case .denied(let refusal) = facts.access.decide().outcome { errno = refusal }
    if errno == 0 {
      errno = description.errorBehindTheModel(opening: node, for: permissions) ?? 0
    }
    if errno == 0 { state.withLock { $0.opened.append(node) } }
    return DeviceProbe(
      attempt: Attempt(
        path: path, systemCall: "openat", flags: permissions.openFlags, errno: errno))
  }

  public func events() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: DeviceEvent.self)
    let id = state.withLock { state in
      state.nextObserver += 1
      state.observers[state.nextObserver] = continuation
      return state.nextObserver
    }
    continuation.onTermination = { [weak self] _ in
      self?.forget(id)
    }
    return stream
  }

  /// Signals with each ``change(_:)``, and never else.
  public func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let arrivals = InMemoryArrivals()
    let id = state.withLock { state in
      state.nextObserver += 1
      state.watches[state.nextObserver] = (continuation, arrivals)
      return state.nextObserver
    }
    let end: @Sendable () -> Void = { [weak self] in self?.forget(id) }
    continuation.onTermination = { _ in end() }
    return InMemoryWatch(signals, continuation, arrivals, end)
  }

  /// Signals with each ``change(_:)``, and never else.
  public func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    InMemoryUseWatch(self, targets, try watch(targets))
  }

  /// How many watches go on: a test can assert that nothing is watched when nobody looks.
  ///
  /// A watch ends with its task, which may be a moment after the task was cancelled or its store was
  /// closed: wait for the number that you expect.
  public var watchCount: Int {
    state.withLock { $0.watches.count }
  }

  /// Opens the real directory that stands for a described one.
  ///
  /// - Parameter path: The canonical path of the described one.
  /// - Throws: `absent` where there is none, and `failed`.
  /// - Returns: The directory.
  func openAlbumDirectory(at path: String) throws(AlbumError) -> DeviceDescriptor {
    try state.withLock { (state) throws(AlbumError) in
      if let album = state.albums[path] { return try album.open() }
      guard state.description.nodes[path]?.type == .directory else {
        throw AlbumError(.absent, at: path, "there is no such directory")
      }
      let album = try InMemoryAlbum(at: path, owner: state.description.subjectUser)
      album.takeNames(of: state.description)
      let directory = try album.open()
      state.albums[path] = album
      return directory
    }
  }

  /// Opens a picture that was added to an album.
  ///
  /// - Throws: `failed` without a free descriptor.
  /// - Returns: The open file; `nil` for a path at which none was added.
  func openPicture(
    at path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let name = String(path[path.utf8.index(after: slash)...])
    return try state.withLock { (state) throws(AlbumError) in
      try state.albums[String(path[..<slash])]?.openPicture(name, for: wanted)
    }
  }

  static func facts(
    for question: Question, on description: MachineDescription
  ) throws(DeviceError) -> AccessFacts {
    let (machine, origin) = try description.running(question)
    let observation = DescribedObservation(machine, origin: origin)
    return try FactsCollector(question, from: observation).facts()
  }

  private func forget(_ id: Int) {
    state.withLock {
      $0.observers[id] = nil
      $0.watches[id] = nil
    }
  }

  private static func requirePossible(_ target: Question.Target) throws(DeviceError) {
    guard case .path(let path) = target else { return }
    guard !path.isEmpty, path.utf8.count < 4096, !path.utf8.contains(0) else {
      throw DeviceError(.invalidPath, operation: "observe", path: path)
    }
  }
}
