internal import AccessModel
internal import Glibc
public import LinuxDevices
internal import Synchronization

/// A desktop portal for cameras and files that a test describes in memory.
///
/// For the camera, the portal asks the user once, stores the answer, and then uses the stored
/// answer. All programs outside a sandbox share one answer, which is stored for the empty
/// identifier, whatever identifier they register. Each Flatpak has its own answer. For files, the
/// portal asks each time.
///
/// ```swift
/// let portal = InMemoryPortal(person: .granted)
/// let machine = InMemoryMachine(portal: portal) {
///   $0.addUser("alice", id: 1000)
///   $0.addCamera()
///   $0.run(as: "alice")
/// }
/// portal.selection = PortalFileReply(choosing: ["/home/alice/Pictures/IMG 1.png"])
/// ```
public final class InMemoryPortal: CameraPortal, FilePortal {
  private struct State {
    var person: PortalOutcome
    var stored: [String: PortalStoredAnswer] = [:]
    var selection: PortalFileReply
    var fileRequests: [PortalFileRequest] = []
    var dialogs = 0
    var observers:
      [Int: (application: String, continuation: AsyncStream<PortalPermission>.Continuation)] = [:]
    var lastObserver = 0
    /// The other ends of the connections that programs hold.
    var connections: [ConnectionEnd] = []
  }

  private let state: Mutex<State>
  private let isCameraPresent: Bool

  /// Creates a portal.
  ///
  /// - Parameters:
  ///   - person: The outcome of each camera dialog: the answer of the user, or a failure.
  ///   - isCameraPresent: `true` if the portal sees a camera.
  ///   - selection: The outcome of each file dialog, which the user closes by default.
  public init(
    person: PortalOutcome = .granted, isCameraPresent: Bool = true,
    selection: PortalFileReply = PortalFileReply(.refused)
  ) {
    state = Mutex(State(person: person, selection: selection))
    self.isCameraPresent = isCameraPresent
  }

  /// The outcome of the next camera dialog.
  public var person: PortalOutcome {
    get { state.withLock { $0.person } }
    set { state.withLock { $0.person = newValue } }
  }

  /// The number of camera dialogs so far, which allows a test to check that the user was not asked.
  public var dialogCount: Int { state.withLock { $0.dialogs } }

  /// The outcome of the next file dialog: the files that the user chooses, or a failure.
  public var selection: PortalFileReply {
    get { state.withLock { $0.selection } }
    set { state.withLock { $0.selection = newValue } }
  }

  /// The requests for file dialogs so far, in order.
  public var fileRequests: [PortalFileRequest] { state.withLock { $0.fileRequests } }

  /// Returns ``selection`` at once, and records the request.
  public func choose(_ request: PortalFileRequest) async -> PortalFileReply {
    state.withLock { state in
      state.fileRequests.append(request)
      return state.selection
    }
  }

  public func status(of application: String?) -> PortalStatus {
    PortalStatus(
      isReachable: true,
      permission: application.map(permission) ?? .unread("the application identifier is unknown"),
      isCameraPresent: isCameraPresent)
  }

  /// Answers a program outside a sandbox at once, even if the outcome is `timedOut`.
  public func request(_ request: PortalRequest) async -> PortalReply { answer(to: "") }

  /// Answers an application.
  ///
  /// - Parameter application: The identifier by which the portal knows the application, regardless
  ///   of the one that it registers. Programs outside a sandbox share the empty identifier.
  /// - Returns: The connection, or the reason why there is none.
  func answer(to application: String) -> PortalReply {
    let outcome: PortalOutcome = state.withLock { state in
      switch state.stored[application] {
      case .yes: return .granted
      case .no: return .refused
      case .ask, nil: break
      }
      state.dialogs += 1
      guard state.stored[application] == nil else {
        return state.person == .granted ? .withheld : state.person
      }
      return state.person
    }
    if permission(of: application) == .nothing {
      switch outcome {
      case .granted: remember(.yes, application)
      case .refused: remember(.no, application)
      default: break
      }
    }
    guard outcome == .granted else { return PortalReply(outcome) }
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      return PortalReply(.failed("no socket"))
    }
    let end = ConnectionEnd(adopting: ends[1])
    state.withLock { state in
      state.connections.removeAll(where: \.isLeft)
      state.connections.append(end)
    }
    return PortalReply(granting: DeviceDescriptor(adopting: ends[0]))
  }

  /// Closes every connection that was given to a program, as PipeWire does when it exits.
  public func disconnect() { state.withLock { $0.connections = [] } }

  public func permissions(of application: String) -> AsyncStream<PortalPermission> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: PortalPermission.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = (application, continuation)
      continuation.yield(Self.permission(state, application))
      return state.lastObserver
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in state.observers[number] = nil }
    }
    return stream
  }

  public func store(
    _ answer: PortalStoredAnswer?, for application: String
  ) async throws(DeviceError) {
    remember(answer, application)
  }

  private func remember(_ answer: PortalStoredAnswer?, _ application: String) {
    state.withLock { state in
      state.stored[application] = answer
      for observer in state.observers.values where observer.application == application {
        observer.continuation.yield(Self.permission(state, application))
      }
    }
  }

  private func permission(of application: String) -> PortalPermission {
    state.withLock { Self.permission($0, application) }
  }

  private static func permission(_ state: State, _ application: String) -> PortalPermission {
    state.stored[application].map { .answer($0) } ?? .nothing
  }
}

/// An in-memory portal as one program sees it: the portal determines the identity of the caller.
struct IdentifyingPortal: CameraPortal {
  private let portal: InMemoryPortal
  private let caller: String?

  /// Creates the portal that a program reaches.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - caller: The identifier by which the portal knows the program; `nil` if it cannot be
  ///     determined from the facts.
  init(_ portal: InMemoryPortal, caller: String?) {
    self.portal = portal
    self.caller = caller
  }

  func status(of application: String?) -> PortalStatus { portal.status(of: application) }

  func request(_ request: PortalRequest) async -> PortalReply { portal.answer(to: caller ?? "") }

  func permissions(of application: String) -> AsyncStream<PortalPermission> {
    portal.permissions(of: application)
  }

  func store(
    _ answer: PortalStoredAnswer?, for application: String
  ) async throws(DeviceError) {
    try await portal.store(answer, for: application)
  }
}

/// The other end of a connection that an in-memory portal has given to a program.
final class ConnectionEnd: Sendable {
  private let descriptor: Int32

  init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A Boolean value that indicates whether the program has closed its end.
  var isLeft: Bool {
    var scan = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&scan, 1, 0) == 1
  }
}
