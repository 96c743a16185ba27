internal import AccessModel
internal import CLinux
internal import Glibc

/// Evaluates the device policies of a unit and its parent slices; the kernel enforces all of them.
struct UnitPolicies {
  var roots: MachineRoots
  private(set) var unobserved: [Unobserved] = []
  /// The restrictive policies, with the unit's own policy first.
  private(set) var policies: [ServiceFacts.Policy] = []
  /// A Boolean value that indicates whether no other part of the policies can refuse access.
  private(set) var isComplete = true

  init(roots: MachineRoots) {
    self.roots = roots
  }

  /// Returns the devices that all policies and an outer list allow; `nil` means no restriction.
  mutating func list(
    for settings: UnitSettings, of unit: String, isRunning: Bool, beside outer: DeviceCgroup? = nil
  ) -> DeviceCgroup? {
    let own = UnitSettings.SlicePolicy(
      unit: unit, policy: settings.devicePolicy, allow: settings.deviceAllow,
      setting: settings.policySetting, compiledAt: isRunning ? settings.compiledAt : nil)
    let restricting = ([own] + settings.slicePolicies).filter {
      $0.policy != .auto || !$0.allow.isEmpty
    }
    guard !restricting.isEmpty else { return outer }
    let bytes = try? BoundedFile.read("\(roots.proc)/devices", limit: DeviceClasses.limit).bytes
    if bytes == nil, restricting.contains(where: { !$0.allow.isEmpty }) {
      isComplete = false
      unobserved.append(
        Unobserved("device-classes", at: "\(roots.proc)/devices", reason: "unreadable"))
    }
    let classes = DeviceClasses(parsing: bytes ?? [])
    return restricting.reduce(outer) { outer, policy in
      let inner = evaluate(policy, classes)
      guard let outer else { return inner }
      guard let both = outer.intersection(inner) else {
        isComplete = false
        unobserved.append(
          Unobserved(
            "device-program", reason: "\(policy.unit) has a device policy that is too long"))
        return outer
      }
      return both
    }
  }

  private mutating func evaluate(
    _ policy: UnitSettings.SlicePolicy, _ classes: DeviceClasses
  ) -> DeviceCgroup {
    let database = UdevDatabase(roots: roots)
    var evaluation = UnitDevicePolicy(classes: classes, lookUp: Self.device)
    evaluation.arrival = { database.initializationTime(of: $0.number, isBlock: $0.isBlock) }
    let list = evaluation.list(policy.policy, policy.allow, compiledAt: policy.compiledAt)
    unobserved += evaluation.ignored.map {
      Unobserved(
        "device-allow", reason: "DeviceAllow=\($0) of \(policy.unit) matches no device now")
    }
    policies.append(
      ServiceFacts.Policy(
        unit: policy.unit, list: list, missed: evaluation.missed, setting: policy.setting))
    return list
  }

  /// Returns the device at a path; like systemd, it follows symbolic links.
  static func device(at path: String) -> UnitDevicePolicy.Device? {
    var status = stat()
    guard !path.utf8.contains(0), unsafe stat(ByteText(path).cString, &status) == 0,
      let type = FileType(mode: status.st_mode), type.isDevice
    else { return nil }
    let number = DeviceNumber(
      major: clinux_major(status.st_rdev), minor: clinux_minor(status.st_rdev))
    return (number, type == .blockDevice)
  }
}

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

/// The device policies that apply to a user's logins, from the user's slice and its parent slices
/// (user@.service(5)).
///
/// pam_systemd(8) puts each session into a separate scope, which has no policy.
struct LoginPolicies {
  let roots: MachineRoots

  /// Returns the restrictive policies, and sets the subject's device list accordingly.
  func observe(
    user: UInt32, _ subject: inout Subject, _ unobserved: inout [Unobserved]
  ) -> [ServiceFacts.Policy] {
    guard roots.hasSystemd() == true else { return [] }
    let slice = "user-\(user).slice"
    let settings = settings(of: slice, &unobserved)
    var evaluation = UnitPolicies(roots: roots)
    if let list = evaluation.list(for: settings, of: slice, isRunning: false) {
      subject.deviceCgroup = list
    }
    unobserved += evaluation.unobserved
    unobserved += settings.problems.map { Unobserved("unit-settings", reason: $0) }
    let doubts = settings.doubts.map { Unobserved("device-program", at: slice, reason: $0.reason) }
    unobserved += doubts
    if !doubts.isEmpty || !evaluation.isComplete { subject.unobserved.insert(.deviceCgroup) }
    return evaluation.policies
  }

  private func settings(of slice: String, _ unobserved: inout [Unobserved]) -> UnitSettings {
    if roots == MachineRoots(), UnitBus.isManagerRunning {
      do throws(Errno) {
        return try UnitBus().devicePolicies(ofSlice: slice)
      } catch {
        unobserved.append(
          Unobserved(
            "unit-settings",
            reason:
              "systemd could not be asked (\(error.reason)), so the unit files were read instead"))
      }
    }
    var settings = UnitSettings()
    settings.addSlicePolicies(from: slice, in: UnitFiles(roots: roots))
    return settings
  }
}

extension UnitSettings {
  /// Adds the device policies of a slice and its parent slices, from their files.
  mutating func addSlicePolicies(from slice: String, in files: UnitFiles) {
    let slices = UnitName.slices(from: slice)
    if slices.isEmpty { doubts.append(Doubt("Slice= does not name a slice", .devices)) }
    for slice in slices {
      guard case .found(let contents) = files.read(slice, isImplicit: true) else { continue }
      problems += contents.problems
      // A slice can restrict only through its device policy.
      doubts += contents.doubts.map { Doubt($0, .devices) }
      let settings = UnitSettingsReader.settings(of: slice, files: contents.files)
      doubts += settings.doubts.map { Doubt("\(slice.text): \($0.reason)", .devices) }
      guard settings.devicePolicy != .auto || !settings.deviceAllow.isEmpty else { continue }
      slicePolicies.append(
        SlicePolicy(
          unit: slice.text, policy: settings.devicePolicy, allow: settings.deviceAllow,
          setting: settings.policySetting))
    }
  }
}
