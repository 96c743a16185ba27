internal import AccessModel
internal import Glibc
public import LinuxDevices
internal import Synchronization

/// A broker of devices that a test makes up in memory.
///
/// It plays `devaccess-broker`, polkit and the administrator in one.
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

  /// Makes a broker.
  ///
  /// - Parameters:
  ///   - administrator: What a question comes to: the answer of the administrator, or what goes wrong.
  ///   - isAvailable: Whether it is installed.
  public init(administrator: BrokerOutcome = .granted, isAvailable: Bool = true) {
    state = Mutex(State(administrator: administrator, isAvailable: isAvailable))
  }

  /// What the next question comes to.
  public var administrator: BrokerOutcome {
    get { state.withLock { $0.administrator } }
    set { state.withLock { $0.administrator = newValue } }
  }

  public var isAvailable: Bool {
    get { state.withLock { $0.isAvailable } }
    set { state.withLock { $0.isAvailable = newValue } }
  }

  /// What it was asked, in order: a test can assert that nobody was.
  public var requests: [BrokerRequest] { state.withLock { $0.requests } }

  /// Answers at once.
  ///
  /// A device that it grants is `/dev/null` behind the descriptor.
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
