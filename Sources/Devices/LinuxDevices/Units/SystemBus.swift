internal import AccessModel
internal import MessageBus

/// A connection to the system bus, for queries to the system manager.
///
/// It belongs to the calling thread. Each call waits at most five seconds.
struct SystemBus: ~Copyable {
  private let bus: BusConnection

  private static let timeout = Duration.seconds(5)
  /// Limits that exceed the size and depth of a unit's properties, and the length of any path.
  private static let limits = BusLimits(text: 4095, values: 1 << 18, depth: 10)
  private static let service = "org.freedesktop.systemd1"
  private static let object = "/org/freedesktop/systemd1"

  init() throws(Errno) {
    do throws(BusFailure) {
      bus = try BusConnection(.system)
    } catch {
      throw Errno(rawValue: error.errno)
    }
  }

  /// Returns the manager's object for a unit, which is loaded if necessary (`LoadUnit`).
  borrowing func unit(_ name: String) throws(Errno) -> String {
    let answer = try call(Self.object, "\(Self.service).Manager", "LoadUnit", .text(name))
    guard let path = answer.text else { throw .tooBig }
    return path
  }

  /// Reads all properties of an object's interface in one call (`GetAll`).
  borrowing func properties(
    of object: String, _ interface: String
  ) throws(Errno) -> UnitProperties {
    try UnitProperties(
      answer: call(object, "org.freedesktop.DBus.Properties", "GetAll", .text(interface)))
  }

  /// Calls a method with one argument that returns one value.
  private borrowing func call(
    _ object: String, _ interface: String, _ member: String, _ argument: BusArgument
  ) throws(Errno) -> BusValue {
    do throws(BusFailure) {
      let call = BusCall(Self.service, object, interface, member, [argument])
      let values = try bus.call(call, within: Self.timeout, limits: Self.limits)
      return values.first?.exact ?? .other
    } catch {
      throw Errno(rawValue: error.errno)
    }
  }
}

extension BusValue {
  /// The value with its strings converted to the model's form, which represents the bytes of a
  /// path.
  fileprivate var exact: BusValue {
    switch self {
    case .text(let text): .text(ByteText(bytes: Array(text.utf8)).text)
    case .list(let elements): .list(elements.map(\.exact))
    default: self
    }
  }
}
