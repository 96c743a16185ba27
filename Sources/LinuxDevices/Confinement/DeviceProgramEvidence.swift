internal import AccessModel
internal import CLinux

/// Finds out what the device programs of a control group of version 2 allow, as far as anything
/// tells.
///
/// A program itself cannot be read. That there is none can be asked with CAP_BPF or
/// CAP_NET_ADMIN; and what systemd has made of a unit's `DevicePolicy=` it tells everybody.
struct DeviceProgramEvidence {
  /// What is known.
  struct Answer {
    /// The list that systemd's program stands for; `nil` when there is none.
    var list: DeviceCgroup?
    /// Whether nothing else can refuse.
    var isKnown: Bool
    /// The policies that it consists of.
    var policies: [ServiceFacts.Policy] = []
  }

  var roots: MachineRoots

  /// What is known of a group by its path in the unified hierarchy, and the unit that it is of.
  func observe(_ group: String, unit: String?) -> Answer {
    let unknown = Answer(list: nil, isKnown: false)
    guard roots == MachineRoots() else { return unknown }
    let programs = programs(of: group)
    if programs == 0 { return Answer(list: nil, isKnown: true) }
    // The user's own manager may not make device programs, so only its unit counts.
    guard let unit, unit.hasPrefix("user@") || group.hasSuffix("/\(unit)"),
      UnitBus.isManagerRunning
    else { return unknown }
    guard let settings = try? UnitBus().devicePolicies(of: unit) else { return unknown }
    var evaluation = UnitPolicies(roots: roots)
    let list = evaluation.list(for: settings, of: unit, isRunning: true)
    // A program where systemd made none is somebody else's.
    if list == nil, programs != nil { return unknown }
    return Answer(
      list: list, isKnown: evaluation.isComplete, policies: evaluation.policies)
  }

  /// How many device programs hold for a group; `nil` when it cannot be asked.
  private func programs(of group: String) -> Int? {
    var ignored: [Unobserved] = []
    let table = MountTable.read("\(roots.proc)/thread-self/mountinfo", &ignored)
    let mount = table.entries.last { $0.fstype == "cgroup2" && $0.root == "/" }
    guard let point = mount?.point, group.hasPrefix("/"), !group.contains("/../") else {
      return nil
    }
    let count = unsafe clinux_device_programs(ByteText(point + group).cString)
    return count >= 0 ? Int(count) : nil
  }
}
