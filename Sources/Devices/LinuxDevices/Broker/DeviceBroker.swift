public import AccessModel
internal import CLinux
internal import Glibc
package import MessageBus

/// A privileged helper that opens devices for users whom the administrator has authorized.
public protocol DeviceBroker: Sendable {
  /// A Boolean value that indicates whether the helper is available.
  ///
  /// Reading it does not start the helper. It blocks until the message bus responds, for at most
  /// two seconds.
  var isAvailable: Bool { get }

  /// Asks the helper to open a device.
  ///
  /// This may start the helper, and the helper may ask the user to authenticate. The request ends
  /// when its timeout expires or the caller's task is cancelled; in both cases the dialog is
  /// closed.
  func open(_ request: BrokerRequest) async -> BrokerReply
}

/// A request to a broker to open a device.
public struct BrokerRequest: Hashable, Sendable {
  /// The absolute path of the device node, without symbolic links.
  public var path: String
  /// The device number that the node must have.
  public var device: DeviceNumber
  /// The access to open the device for: reading, writing or both.
  public var wanted: Permissions
  /// The maximum time for the whole request, including authentication by the user.
  public var timeout: Duration

  /// Creates a request.
  public init(
    path: String, device: DeviceNumber, wanted: Permissions, timeout: Duration = .seconds(120)
  ) {
    self.path = path
    self.device = device
    self.wanted = wanted
    self.timeout = timeout
  }
}

/// The reply of a broker, which includes the open device if the request was granted.
public typealias BrokerReply = DeviceReply<BrokerOutcome>

/// The outcome of a request to a broker.
///
/// The associated texts may contain output of other programs.
public enum BrokerOutcome: DeviceRequestOutcome {
  /// The device was opened.
  case granted
  /// polkit denied the request: the user is not authorized or failed to authenticate.
  case refused
  /// The user dismissed the dialog.
  case dismissed
  /// The broker does not open the object, for the given reason.
  case unsuitable(String)
  /// No broker, polkit or polkit agent is available, for the given reason.
  case absent(String)
  /// No response arrived in time.
  case timedOut
  /// The caller's task was cancelled.
  case cancelled
  /// The request failed, or the response was not valid, for the given reason.
  case failed(String)
}

/// The broker on the system bus, `devaccess-broker`.
///
/// Each request uses its own connection, which closes after the response. If the client disconnects
/// earlier, the broker closes the dialog.
public struct SystemBroker: DeviceBroker {
  private let address: BusAddress

  private static let statusTime = Duration.seconds(2)
  private static let limits = BusLimits(text: 4_096, values: 1 << 16, depth: 8)

  /// Creates a client of the broker on the system bus.
  public init() { address = .system }

  /// Creates a client of the broker on the given bus.
  package init(address: BusAddress) { self.address = address }

  public var isAvailable: Bool {
    let deadline = ContinuousClock.now + Self.statusTime
    do throws(BusFailure) {
      let bus = try BusConnection(address)
      let owned = try bus.call(BrokerCalls.hasOwner, until: deadline, limits: Self.limits)
      if owned.first?.boolean == true { return true }
      let names = try bus.call(BrokerCalls.activatable, until: deadline, limits: Self.limits)
      return names.first?.texts?.contains(BrokerCalls.name) == true
    } catch {
      return false
    }
  }

  @concurrent
  public func open(_ request: BrokerRequest) async -> BrokerReply {
    let reply: BusReply
    do throws(BusFailure) {
      reply = try await BusClient(address, limits: Self.limits)
        .call(BrokerCalls.open(request), within: request.timeout)
    } catch {
      return BrokerReply(BrokerOutcome(error))
    }
    guard reply.values.count == 1, let number = reply.values[0].descriptor?.take() else {
      return BrokerReply(.failed("it returned no descriptor"))
    }
    let descriptor = DeviceDescriptor(adopting: number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFCHR,
      clinux_major(status.st_rdev) == request.device.major,
      clinux_minor(status.st_rdev) == request.device.minor
    else { return BrokerReply(.failed("it returned something else")) }
    return BrokerReply(granting: descriptor)
  }
}
