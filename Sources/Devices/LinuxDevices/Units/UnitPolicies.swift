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
    let arrival = DeviceArrival(roots: roots)
    var evaluation = UnitDevicePolicy(classes: classes, lookUp: Self.device)
    evaluation.arrival = { arrival.time(of: $0.number, isBlock: $0.isBlock) }
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
