internal import AccessModel
internal import Glibc
public import LinuxDevices
internal import Synchronization

/// A device broker that a test describes in memory.
///
/// It simulates `devaccess-broker`, polkit and the administrator.
///
/// ```swift
/// let machine = InMemoryMachine(broker: InMemoryBroker(administrator: .dismissed)) {
///   $0.addUser("alice", id: 1000)
///   $0.addCamera()
///   $0.run(as: "alice")
/// }
/// ```
public final class InMemoryBroker: DeviceBroker {
  private struct State {
    var administrator: BrokerOutcome
    var isAvailable: Bool
    var requests: [BrokerRequest] = []
  }

  private let state: Mutex<State>

  /// Creates a broker.
  ///
  /// - Parameters:
  ///   - administrator: The outcome of each request: the answer of the administrator, or a failure.
  ///   - isAvailable: `true` if the broker is installed.
  public init(administrator: BrokerOutcome = .granted, isAvailable: Bool = true) {
    state = Mutex(State(administrator: administrator, isAvailable: isAvailable))
  }

  /// The outcome of the next request.
  public var administrator: BrokerOutcome {
    get { state.withLock { $0.administrator } }
    set { state.withLock { $0.administrator = newValue } }
  }

  public var isAvailable: Bool {
    get { state.withLock { $0.isAvailable } }
    set { state.withLock { $0.isAvailable = newValue } }
  }

  /// The requests so far, in order, which allows a test to check that nothing was requested.
  public var requests: [BrokerRequest] { state.withLock { $0.requests } }

  /// Answers at once.
  ///
  /// If the outcome is `granted`, the descriptor is that of `/dev/null`.
  public func open(_ request: BrokerRequest) async -> BrokerReply {
    let outcome = state.withLock { state in
      state.requests.append(request)
      return state.administrator
    }
    guard outcome == .granted else { return BrokerReply(outcome) }
    let number = unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    guard number >= 0 else { return BrokerReply(.failed("no descriptor is left")) }
    return BrokerReply(granting: DeviceDescriptor(adopting: number))
  }
}
