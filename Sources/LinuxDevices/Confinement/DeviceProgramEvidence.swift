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
    guard let unit, UnitBus.isManagerRunning,
      let settings = try? UnitBus().devicePolicies(of: unit),
      Self.holds(settings.controlGroup, group)
    else { return unknown }
    var evaluation = UnitPolicies(roots: roots)
    let list = evaluation.list(for: settings, of: unit, isRunning: true)
    let answer = Answer(
      list: list, isKnown: evaluation.isComplete && settings.doubts.isEmpty,
      policies: evaluation.policies)
    return Self.weighed(answer, of: group, programs: programs)
  }

  /// What the policies of a unit and of its slices tell about a group in it, and the number of device
  /// programs that hold there; `nil` where that cannot be asked.
  ///
  /// The kernel runs the programs of all groups above, and each can refuse: what the unit refuses
  /// stays refused in every group below. Whoever was given the groups below can add programs.
  static func weighed(_ answer: Answer, of group: String, programs: Int?) -> Answer {
    var answer = answer
    if answer.list == nil, programs != nil {
      // A program where systemd made none is somebody else's.
      answer.isKnown = false
    } else if ControlGroups.isBelowUnit(group) {
      // systemd makes one program for each policy. In the group of the unit itself an engine may add
      // one that says the same. A user's own manager may not make any.
      let isOfUser = ControlGroups.unit(in: group)?.hasPrefix("user@") ?? false
      answer.isKnown = answer.isKnown && programs.map { $0 <= answer.policies.count } ?? isOfUser
    }
    return answer
  }

  /// Whether a group is that of a unit or below it; the same name may be of a container's unit.
  static func holds(_ unitGroup: String?, _ group: String) -> Bool {
    guard let unitGroup else { return false }
    return group.isAtOrBelow(unitGroup)
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
