internal import AccessModel
internal import CLinux
internal import Glibc
package import MessageBus

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
