internal import AccessModel
internal import Glibc
package import MessageBus

/// Reads the loaded settings of a unit from the running manager.
///
/// Every user may read them. org.freedesktop.systemd1(5) documents the properties. Each interface
/// is read once.
struct UnitBus: ~Copyable {
  /// The manager's answer.
  enum Answer {
    case absent
    case masked
    case found(UnitSettings)
  }

  private let bus: SystemBus

  init() throws(Errno) {
    bus = try SystemBus()
  }

  /// A Boolean value that indicates whether systemd manages this system, as in sd_booted(3).
  static var isManagerRunning: Bool { unsafe access("/run/systemd/system/", F_OK) == 0 }

  borrowing func read(_ name: UnitName) throws(Errno) -> Answer {
    let object = try bus.unit(name.text)
    var unit = try properties(object, "Unit")
    switch unit.text("LoadState") {
    case "not-found": return .absent
    case "masked": return .masked
    default: break
    }
    var service = try properties(object, "Service")
    var settings = UnitSettings(service: &service)
    settings.doubts += service.doubts
    // Older versions of systemd also report JoinsNamespaceOf=, but do not share user namespaces.
    if settings.userNamespace != .none, unit.has("JoinsNamespaceOf"),
      !unit.texts("JoinsNamespaceOf").isEmpty
    {
      settings.doubts.append(.sharedUsers)
    }
    let state = unit.text("LoadState") ?? "unknown"
    if state != "loaded" { settings.problems.append("systemd calls the unit \(state)") }
    if unit.boolean("NeedDaemonReload") {
      settings.problems.append("the unit's files changed after systemd read them")
    }
    try addPolicies(above: service.name("Slice"), unit: &unit, to: &settings)
    return .found(settings)
  }

  /// Returns only the device policies of a running service or scope and of its parent slices.
  borrowing func devicePolicies(of name: String) throws(Errno) -> UnitSettings {
    let object = try bus.unit(name)
    var unit = try properties(object, "Unit")
    var group = try properties(object, name.hasSuffix(".scope") ? "Scope" : "Service")
    var settings = UnitSettings(running: &group)
    settings.doubts += group.doubts
    settings.controlGroup = group.name("ControlGroup")
    try addPolicies(above: group.name("Slice"), unit: &unit, to: &settings)
    return settings
  }

  /// Returns the device policies of a slice, which need not be running, and of its parent slices.
  borrowing func devicePolicies(ofSlice slice: String) throws(Errno) -> UnitSettings {
    var settings = UnitSettings()
    try addPolicies(from: slice, loadedAt: lastReload(), to: &settings)
    return settings
  }

  private borrowing func properties(
    _ object: String, _ interface: String
  ) throws(Errno) -> UnitProperties {
    try bus.properties(of: object, "org.freedesktop.systemd1.\(interface)")
  }

  // MARK: Device policies

  /// Adds the slices' policies, and the time when each policy was compiled.
  private borrowing func addPolicies(
    above slice: String?, unit: inout UnitProperties, to settings: inout UnitSettings
  ) throws(Errno) {
    let reload = try lastReload()
    settings.compiledAt = Self.compiled(&unit, reload)
    if let slice { try addPolicies(from: slice, loadedAt: reload, to: &settings) }
  }

  private borrowing func addPolicies(
    from slice: String, loadedAt reload: UInt64, to settings: inout UnitSettings
  ) throws(Errno) {
    var next: String? = slice
    for _ in 0..<16 {
      guard let name = next else { return }
      let object = try bus.unit(name)
      var properties = try properties(object, "Slice")
      let policy = UnitSettings(running: &properties)
      if policy.devicePolicy != .auto || !policy.deviceAllow.isEmpty {
        var unit = try self.properties(object, "Unit")
        settings.slicePolicies.append(
          UnitSettings.SlicePolicy(
            unit: name, policy: policy.devicePolicy, allow: policy.deviceAllow,
            setting: policy.policySetting, compiledAt: Self.compiled(&unit, reload)))
      }
      settings.problems += policy.problems
      // A slice can restrict only through its device policy.
      settings.doubts += (policy.doubts + properties.doubts).map {
        UnitSettings.Doubt("\(name): \($0.reason)", .devices)
      }
      next = properties.name("Slice")
    }
  }

  /// Returns the time of the last reload, when the manager recompiled the policies of running
  /// units.
  private borrowing func lastReload() throws(Errno) -> UInt64 {
    var manager = try bus.properties(
      of: "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager")
    return manager.unsigned("UnitsLoadTimestampMonotonic") ?? 0
  }

  /// Returns the time when a unit's device program was compiled, in microseconds since boot.
  ///
  /// Returns `nil` for a unit that is not running.
  private static func compiled(_ unit: inout UnitProperties, _ reload: UInt64) -> UInt64? {
    guard let state = unit.text("ActiveState"), state != "inactive", state != "failed",
      let start = unit.unsigned("InactiveExitTimestampMonotonic"), start > 0
    else { return nil }
    return max(start, reload)
  }
}

extension UnitProperties {
  /// The properties that the manager should report but does not.
  fileprivate var doubts: [UnitSettings.Doubt] {
    missing.map {
      UnitSettings.Doubt("systemd does not report \($0)=", UnitSettings.concern(of: $0))
    }
  }
}

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

/// Parses systemd's reply about a service, for callers that do not query systemd.
///
/// The fuzzer and the test of its corpus use it.
package enum UnitReading {
  /// Parses the reply to `GetAll` as the settings of a service.
  ///
  /// - Returns: The properties that the reply lacks, or `nil` if it is malformed.
  package static func missing(in answer: BusValue) -> [String]? {
    guard var properties = try? UnitProperties(answer: answer) else { return nil }
    _ = UnitSettings(service: &properties)
    return properties.missing
  }
}
