internal import AccessModel

/// Evaluates `DevicePolicy=` and `DeviceAllow=` as systemd does when it starts a unit
/// (`cgroup_apply_devices`).
struct UnitDevicePolicy {
  typealias Device = (number: DeviceNumber, isBlock: Bool)
  /// Returns the device at a path, or `nil` if there is none.
  typealias Lookup = (_ path: String) -> Device?

  var classes: DeviceClasses
  var lookUp: Lookup
  /// Returns the time when a device was added, in microseconds since boot, or `nil` if unknown.
  var arrival: (Device) -> UInt64? = { _ in nil }
  /// The entries that match no device now, which systemd ignores.
  private(set) var ignored: [String] = []
  /// The entries whose device was added after the policy was compiled.
  private(set) var missed: [String] = []

  init(classes: DeviceClasses, lookUp: @escaping Lookup) {
    self.classes = classes
    self.lookUp = lookUp
  }

  /// The pseudo devices that `closed`, and `auto` with a list, allow (`auto_devices`).
  static let standardDevices = [
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx",
  ]

  /// Returns the devices that the policy allows; `nil` means no restriction.
  mutating func list(for settings: UnitSettings) -> DeviceCgroup? {
    if settings.devicePolicy == .auto, settings.deviceAllow.isEmpty { return nil }
    return list(settings.devicePolicy, settings.deviceAllow, compiledAt: nil)
  }

  /// Returns the devices that a restrictive policy allows.
  ///
  /// If `compiledAt` is not `nil`, the device program was compiled at that time. It then does not
  /// include a path that was missing at that time.
  mutating func list(
    _ policy: UnitSettings.DevicePolicy, _ allow: [UnitSettings.DeviceAllowance],
    compiledAt: UInt64?
  ) -> DeviceCgroup {
    var exceptions: [DeviceCgroup.Exception] = []
    if policy != .strict {
      for path in Self.standardDevices { exceptions += exception(path, "rwm") }
      exceptions += members("pts", isBlock: false, "rw")
    }
    for entry in allow {
      if let compiledAt, entry.specifier.hasPrefix("/dev/"), let device = lookUp(entry.specifier),
        let time = arrival(device), time > compiledAt
      {
        missed.append(entry.specifier)
        continue
      }
      let found = self.exceptions(of: entry)
      if found.isEmpty { ignored.append(entry.specifier) }
      exceptions += found
    }
    return DeviceCgroup(defaultBehavior: .deny, exceptions: exceptions)
  }

  private func exceptions(of entry: UnitSettings.DeviceAllowance) -> [DeviceCgroup.Exception] {
    let specifier = entry.specifier
    if specifier.hasPrefix("/dev/") { return exception(specifier, entry.access) }
    for (prefix, isBlock) in [("char-", false), ("block-", true)]
    where specifier.hasPrefix(prefix) {
      return members(String(specifier.dropFirst(prefix.count)), isBlock: isBlock, entry.access)
    }
    return []
  }

  private func exception(_ path: String, _ access: String) -> [DeviceCgroup.Exception] {
    guard let device = lookUp(path) else { return [] }
    return [
      Self.exception(
        device.isBlock, major: device.number.major, minor: device.number.minor, access)
    ]
  }

  /// Returns exceptions for all devices of the classes that match a pattern.
  private func members(
    _ pattern: String, isBlock: Bool, _ access: String
  ) -> [DeviceCgroup.Exception] {
    if pattern == "*" { return [Self.exception(isBlock, major: nil, minor: nil, access)] }
    // A number denotes a major number.
    if let major = UInt32(pattern), pattern.first?.isNumber == true {
      return [Self.exception(isBlock, major: major, minor: nil, access)]
    }
    return classes.majors(matching: pattern, isBlock: isBlock).map {
      Self.exception(isBlock, major: $0, minor: nil, access)
    }
  }

  private static func exception(
    _ isBlock: Bool, major: UInt32?, minor: UInt32?, _ access: String
  ) -> DeviceCgroup.Exception {
    DeviceCgroup.Exception(
      isBlock: isBlock, major: major, minor: minor, read: access.contains("r"),
      write: access.contains("w"), makeNode: access.contains("m"))
  }
}
