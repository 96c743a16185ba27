internal import AccessModel
internal import Glibc

/// Asks the running manager what the settings of a unit are, as it has loaded them.
///
/// Everybody may ask. The properties are those of org.freedesktop.systemd1(5); each interface is
/// asked once.
struct UnitBus: ~Copyable {
  /// What the manager answers.
  enum Answer {
    case absent
    case masked
    case found(UnitSettings)
  }

  private let bus: SystemBus

  init() throws(Errno) {
    bus = try SystemBus()
  }

  /// Whether systemd is the manager of this system, by the directory that sd_booted(3) names.
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
    // Whose namespaces are shared is told by older systems as well, which share no user namespace.
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

  /// The device policies alone, of a service or scope that runs and of the slices above it.
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

  /// The device policies of a slice, which need not run, and of those above it.
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

  /// Adds the policies of the slices, and when each was compiled.
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
      // A slice has nothing but its device policy to restrict with.
      settings.doubts += (policy.doubts + properties.doubts).map {
        UnitSettings.Doubt("\(name): \($0.reason)", .devices)
      }
      next = properties.name("Slice")
    }
  }

  /// When the manager last read all units: it then compiles the policies of running ones anew.
  private borrowing func lastReload() throws(Errno) -> UInt64 {
    var manager = try bus.properties(
      of: "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager")
    return manager.unsigned("UnitsLoadTimestampMonotonic") ?? 0
  }

  /// When the device program of a unit was compiled, in microseconds since the boot; `nil` for
  /// one that does not run.
  private static func compiled(_ unit: inout UnitProperties, _ reload: UInt64) -> UInt64? {
    guard let state = unit.text("ActiveState"), state != "inactive", state != "failed",
      let start = unit.unsigned("InactiveExitTimestampMonotonic"), start > 0
    else { return nil }
    return max(start, reload)
  }
}

extension UnitProperties {
  /// The properties that the manager should tell and does not.
  fileprivate var doubts: [UnitSettings.Doubt] {
    missing.map {
      UnitSettings.Doubt("systemd does not report \($0)=", UnitSettings.concern(of: $0))
    }
  }
}
