internal import AccessModel
internal import CSystemd
internal import Glibc

/// Asks the running manager what the settings of a unit are, as it has loaded them.
///
/// Everybody may ask. The properties are those of org.freedesktop.systemd1(5).
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

  /// Whether systemd is the manager of this system (sd_booted(3)).
  static var isManagerRunning: Bool { sd_booted() > 0 }

  borrowing func read(_ name: UnitName) throws(Errno) -> Answer {
    let object = try bus.unit(name.text)
    switch try bus.string(.unit(object, "LoadState")) {
    case "not-found": return .absent
    case "masked": return .masked
    default: break
    }
    var settings = try settings(of: object)
    let state = try bus.string(.unit(object, "LoadState"))
    if state != "loaded" { settings.problems.append("systemd calls the unit \(state)") }
    if try bus.boolean(.unit(object, "NeedDaemonReload")) {
      settings.problems.append("the unit's files changed after systemd has read them")
    }
    return .found(settings)
  }

  private borrowing func settings(of object: String) throws(Errno) -> UnitSettings {
    var settings = UnitSettings()
    func name(_ text: String) -> String? { text.isEmpty ? nil : text }
    settings.user = name(try bus.string(.service(object, "User")))
    settings.group = name(try bus.string(.service(object, "Group")))
    settings.supplementaryGroups = try bus.strings(.service(object, "SupplementaryGroups"))
    settings.isDynamicUser = try bus.boolean(.service(object, "DynamicUser"))
    let running = try bus.integer32(.service(object, "UID"))
    if running != .max { settings.runningUser = running }
    settings.privateDevices = try bus.boolean(.service(object, "PrivateDevices"))
    settings.privateUsers = try bus.boolean(.service(object, "PrivateUsers"))
    settings.noNewPrivileges = try bus.boolean(.service(object, "NoNewPrivileges"))
    let (policy, list) = try devicePolicy(.service, object, &settings.problems)
    settings.devicePolicy = policy
    settings.deviceAllow = list
    settings.protectHome =
      word(try bus.string(.service(object, "ProtectHome")), "ProtectHome", &settings) ?? .no
    settings.protectSystem =
      word(try bus.string(.service(object, "ProtectSystem")), "ProtectSystem", &settings) ?? .no
    settings.readWritePaths = try bus.strings(.service(object, "ReadWritePaths"))
    settings.readOnlyPaths = try bus.strings(.service(object, "ReadOnlyPaths"))
    settings.inaccessiblePaths = try bus.strings(.service(object, "InaccessiblePaths"))
    settings.boundingSet = CapabilitySet(
      bits: try bus.integer64(.service(object, "CapabilityBoundingSet")))
    settings.ambientSet = CapabilitySet(
      bits: try bus.integer64(.service(object, "AmbientCapabilities")))
    settings.secureBits = UInt32(
      bitPattern: try bus.signedInteger32(.service(object, "SecureBits")))
    try readPlaces(of: object, into: &settings)
    if try bus.boolean(.service(object, "PrivateTmp")) { settings.addPrivateTemporaryFolders() }
    settings.policySlice = try policySlice(above: object)
    return settings
  }

  private borrowing func readPlaces(
    of object: String, into settings: inout UnitSettings
  ) throws(Errno) {
    for setting in ["RootDirectory", "RootImage"] {
      let root = try bus.string(.service(object, setting))
      if !root.isEmpty, root != "/" { settings.rootSetting = "\(setting)=" }
    }
    for (setting, member, place) in [
      ("BindPaths", "ssbt", 1), ("BindReadOnlyPaths", "ssbt", 1), ("TemporaryFileSystem", "ss", 0),
    ] {
      let tuples = try bus.tuples(
        .service(object, setting), member: member, count: place + 1)
      settings.replacedPaths += tuples.map {
        UnitSettings.ReplacedPath(setting: "\(setting)=", path: UnitPath($0[place]).path)
      }
    }
  }

  private func word<Word: RawRepresentable<String>>(
    _ text: String, _ key: String, _ settings: inout UnitSettings
  ) -> Word? {
    let word = Word(rawValue: text)
    if word == nil { settings.problems.append("\(key)= has the value '\(text)'") }
    return word
  }

  // MARK: Device policies

  private borrowing func devicePolicy(
    _ type: BusProperty.UnitType, _ object: String, _ problems: inout [String]
  ) throws(Errno) -> (UnitSettings.DevicePolicy, [UnitSettings.DeviceAllowance]) {
    func property(_ name: String) -> BusProperty { .of(type, object, name) }
    let text = try bus.string(property("DevicePolicy"))
    if UnitSettings.DevicePolicy(rawValue: text) == nil {
      problems.append("DevicePolicy= has the value '\(text)'")
    }
    let list = try bus.tuples(property("DeviceAllow"), member: "ss", count: 2).map {
      UnitSettings.DeviceAllowance(specifier: $0[0], access: $0[1])
    }
    return (UnitSettings.DevicePolicy(rawValue: text) ?? .auto, list)
  }

  /// The slice above a unit that has a device policy as well; both then count.
  private borrowing func policySlice(
    above object: String, _ type: BusProperty.UnitType = .service
  ) throws(Errno) -> String? {
    var slice = try bus.string(.of(type, object, "Slice"))
    for _ in 0..<16 where !slice.isEmpty {
      let object = try bus.unit(slice)
      var ignored: [String] = []
      let (policy, list) = try devicePolicy(.slice, object, &ignored)
      if policy != .auto || !list.isEmpty { return slice }
      slice = try bus.string(.of(.slice, object, "Slice"))
    }
    return nil
  }
}

extension UnitBus {
  /// The device policy alone, of a service or scope that runs.
  borrowing func devicePolicy(of unit: String) throws(Errno) -> UnitSettings {
    let type: BusProperty.UnitType = unit.hasSuffix(".scope") ? .scope : .service
    let object = try bus.unit(unit)
    var settings = UnitSettings()
    (settings.devicePolicy, settings.deviceAllow) =
      try devicePolicy(type, object, &settings.problems)
    settings.policySlice = try policySlice(above: object, type)
    return settings
  }
}
