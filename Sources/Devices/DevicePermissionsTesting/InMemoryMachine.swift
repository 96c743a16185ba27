public import AccessModel
public import DeviceWatching
internal import Glibc
public import LegoKit
public import LinuxDevices
internal import Synchronization

/// A machine that a test describes in memory, and that services observe like a real one.
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
/// A question about another user is answered as if the user had just logged in. The groups of a
/// variation must be described. The machine has no processes or units that a question can be about.
///
/// Tasks can share the machine, and it can change while services use it. ``events()`` delivers the
/// changes of its devices. ``change(after:_:)`` schedules later changes on a clock that the test
/// advances.
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

    /// Adds the pictures that programs put into albums to the description.
    mutating func describePictures() {
      for album in albums.values { album.describePictures(in: &description) }
    }

    /// Updates the names in the albums from the description, and removes the albums whose directory
    /// no longer exists.
    mutating func updateAlbums() {
      let nodes = description.nodes
      albums = albums.filter { nodes[$0.key]?.type == .directory }
      for album in albums.values { album.takeNames(of: description) }
    }
  }

  private let state: Mutex<State>
  /// The clock of ``change(after:_:)``, which stands still until a test advances it.
  ///
  /// Effects of a store use another clock, `Contractors().clock`, unless the test replaces it with
  /// this one.
  public let clock: TestClock
  private let start: TestClock.Instant
  private let portal: InMemoryPortal?
  private let broker: InMemoryBroker?

  /// Creates a machine.
  ///
  /// - Parameters:
  ///   - clock: The clock of the machine, which other machines or a store can share.
  ///   - portal: The desktop portal for cameras and files; `nil` for a machine without one.
  ///   - broker: The device broker; `nil` for a machine without one.
  ///   - configure: Changes the initial description, which is an empty machine.
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

  /// The portal, which identifies the subject by its sandbox.
  public var cameraPortal: (any CameraPortal)? {
    portal.map {
      IdentifyingPortal($0, caller: PortalApplication.identifier(of: description.confinement))
    }
  }
  public var filePortal: (any FilePortal)? { portal }
  public var deviceBroker: (any DeviceBroker)? { broker }

  /// Changes the machine, for example by plugging in a device, logging in a user or switching
  /// sessions.
  ///
  /// ``events()`` delivers an event for every device that was added, removed or changed, and every
  /// watch signals.
  public func change(_ body: (inout MachineDescription) -> Void) { changing(body) }

  /// Changes the machine like ``change(_:)``, unless the closure throws an error.
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

  /// Changes the machine when its ``clock`` has advanced by some time.
  ///
  /// ```swift
  /// machine.change(after: .seconds(60)) { $0.logIn("bob") }
  /// machine.change(after: .seconds(90)) { $0.logOut("bob") }
  /// await machine.clock.advance(by: .seconds(60))
  /// ```
  ///
  /// Changes at the same time are made in the order in which they were scheduled. Each is made
  /// during `TestClock.advance(by:)`, which notifies observers as ``change(_:)`` does, but does not
  /// wait for them to observe the machine. If several changes follow quickly, an observer may
  /// therefore see only the final state. To see each change, advance the clock to it and wait for
  /// its element before advancing again. `TestClock.waitForSleepers(_:)` counts each change until
  /// it is made.
  ///
  /// - Parameters:
  ///   - delay: The time from now on the clock. If it is not positive, the change is made at once.
  ///   - body: Changes the machine.
  public func change(
    after delay: Duration, _ body: @escaping @Sendable (inout MachineDescription) -> Void
  ) {
    _ = clock.schedule(at: clock.now.advanced(by: delay)) { [weak self] in self?.change(body) }
  }

  /// The current description of the machine.
  var description: MachineDescription {
    state.withLock { state in
      state.describePictures()
      return state.description
    }
  }

  /// The current description of the machine, including the current time of its clock.
  var currentDescription: MachineDescription {
    var description = description
    description.elapsed = start.duration(to: clock.now)
    return description
  }

  /// The paths of all devices that were opened, in order, which allows a test to check that none
  /// was.
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

  /// Answers as the running system would.
  ///
  /// Without CAP_SYS_PTRACE, the subject sees only the holders that run as its own user, and all
  /// holders of sound devices, which the driver reports.
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

  /// Returns the result that ``open(_:for:)`` would have without raising a capability, including
  /// the described errors of the driver.
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

  /// Returns a watch that signals after each ``change(_:)`` and at no other time.
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

  /// Returns a watch that signals after each ``change(_:)`` and at no other time.
  public func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    InMemoryUseWatch(self, targets, try watch(targets))
  }

  /// The number of active watches, which allows a test to check that none remains.
  ///
  /// A watch ends with its task, possibly a moment after the task was cancelled or its store was
  /// closed. Wait until the number is the expected one.
  public var watchCount: Int {
    state.withLock { $0.watches.count }
  }

  /// Opens the real directory that represents a described one.
  ///
  /// - Parameter path: The canonical path of the described directory.
  /// - Throws: `absent` if no such directory is described, `failed` if it cannot be opened.
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
  /// - Throws: `failed` if no descriptor is free.
  /// - Returns: The open file; `nil` if no picture was added at the path.
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

/// A watch on an in-memory machine, which signals after every change.
final class InMemoryWatch: MachineWatch {
  let signals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let arrivals: InMemoryArrivals
  private let end: @Sendable () -> Void

  init(
    _ signals: AsyncStream<Void>, _ continuation: AsyncStream<Void>.Continuation,
    _ arrivals: InMemoryArrivals, _ end: @escaping @Sendable () -> Void
  ) {
    self.signals = signals
    self.continuation = continuation
    self.arrivals = arrivals
    self.end = end
  }

  deinit { end() }

  func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
    WatchCoverage(isNew: false)
  }

  func takeReportedChanges() -> WatchedChanges { WatchedChanges(.all, arrivals: arrivals.take()) }

  func wake() { continuation.yield() }
}

/// A watch on the users of an in-memory machine's devices, which signals after every change.
final class InMemoryUseWatch: UseWatch {
  private let machine: InMemoryMachine
  private let targets: [Question.Target]
  private let watch: any MachineWatch
  private let hasScanned = Atomic(false)

  init(_ machine: InMemoryMachine, _ targets: [Question.Target], _ watch: any MachineWatch) {
    self.machine = machine
    self.targets = targets
    self.watch = watch
  }

  var signals: AsyncStream<Void> { watch.signals }

  func wake() { watch.wake() }

  func scan(pollingEvery interval: Duration) throws(DeviceError) -> UseScan {
    let scan = try machine.useOfPresent(
      targets, leavingOutOthers: hasScanned.load(ordering: .relaxed))
    hasScanned.store(true, ordering: .relaxed)
    return scan
  }
}

/// The nodes that were added since a watch of an in-memory machine last asked.
final class InMemoryArrivals: Sendable {
  private let nodes = Mutex<Set<String>>([])

  func add(_ nodes: [String]) { self.nodes.withLock { $0.formUnion(nodes) } }

  func take() -> Set<String> {
    nodes.withLock { nodes in
      defer { nodes = [] }
      return nodes
    }
  }
}
