internal import AccessModel
internal import CLinux

/// Determines the devices that the device programs of a version 2 control group allow.
///
/// The programs themselves cannot be read. Their number can be queried with `CAP_BPF` or
/// `CAP_NET_ADMIN`. systemd reports a unit's `DevicePolicy=` to every user.
struct DeviceProgramEvidence {
  /// The result for a control group.
  struct Answer {
    /// The device list that is equivalent to systemd's programs; `nil` if systemd attached none.
    var list: DeviceCgroup?
    /// A Boolean value that indicates whether no other program can refuse access.
    var isKnown: Bool
    /// The policies that the list was derived from.
    var policies: [ServiceFacts.Policy] = []
  }

  var roots: MachineRoots

  /// Determines the device policy of a control group.
  ///
  /// - Parameters:
  ///   - group: The path of the group in the unified hierarchy.
  ///   - unit: The unit that the group belongs to, if any.
  /// - Returns: The result, whose `isKnown` is `false` if the policy cannot be determined.
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

  /// Decides whether a unit's policies account for all device programs of a group in the unit.
  ///
  /// The kernel runs the programs of the group and of all its ancestors, and each can refuse
  /// access. Anything that the unit refuses is therefore refused in every group below. A process
  /// that manages a delegated group can attach further programs.
  ///
  /// - Parameters:
  ///   - answer: The policies of the unit and of its slices.
  ///   - group: The path of the group in the unified hierarchy.
  ///   - programs: The number of programs that apply to the group; `nil` if it cannot be queried.
  /// - Returns: The answer; its `isKnown` is `false` if there may be further programs.
  static func weighed(_ answer: Answer, of group: String, programs: Int?) -> Answer {
    var answer = answer
    if answer.list == nil, programs != nil {
      // systemd attached no program, so any existing program is an unknown one.
      answer.isKnown = false
    } else if ControlGroups.isBelowUnit(group) {
      // systemd attaches one program for each policy. For the group of the unit itself the number
      // is not compared, because a container engine may add a program with the same rules there. A
      // user's own service manager might not be permitted to attach any.
      let isOfUser = ControlGroups.unit(in: group)?.hasPrefix("user@") ?? false
      answer.isKnown = answer.isKnown && programs.map { $0 <= answer.policies.count } ?? isOfUser
    }
    return answer
  }

  /// Returns whether a group is the given unit's group or below it.
  ///
  /// A unit inside a container may have the same name as a unit outside.
  static func holds(_ unitGroup: String?, _ group: String) -> Bool {
    guard let unitGroup else { return false }
    return group.isAtOrBelow(unitGroup)
  }

  /// Returns the number of device programs that apply to a group; `nil` if it cannot be queried.
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

extension DeviceCgroup {
  /// Parses the file `devices.list` of a version 1 control group.
  ///
  /// If a group allows by default, the kernel prints only the line `a *:* rwm`, whatever its
  /// exceptions are (`devcgroup_seq_show`). In this case, the result is `nil`. Any other list
  /// belongs to a group that denies by default. A malformed line invalidates the whole list.
  static func parse(list bytes: [UInt8]) -> (cgroup: DeviceCgroup?, isMalformed: Bool) {
    var exceptions: [Exception] = []
    for line in bytes.split(separator: ByteScanner.newline) {
      let words = ByteScanner.words(line)
      guard words.count == 3 else { return (nil, true) }
      let type = String(decoding: words[0], as: UTF8.self)
      if type == "a" { return (nil, false) }
      let numbers = ByteScanner.split(words[1], at: UInt8(ascii: ":"))
      guard type == "c" || type == "b", numbers.count == 2,
        let major = number(numbers[0]), let minor = number(numbers[1])
      else { return (nil, true) }
      exceptions.append(
        Exception(
          isBlock: type == "b", major: major, minor: minor,
          read: words[2].contains(UInt8(ascii: "r")), write: words[2].contains(UInt8(ascii: "w")),
          makeNode: words[2].contains(UInt8(ascii: "m"))))
    }
    return (DeviceCgroup(defaultBehavior: .deny, exceptions: exceptions), false)
  }

  /// Parses a device number; `nil` if it is malformed, and `.some(nil)` for `*`, which means any
  /// number.
  private static func number(_ word: ArraySlice<UInt8>) -> UInt32?? {
    if word.elementsEqual([UInt8(ascii: "*")]) { return .some(nil) }
    return ByteScanner.number(word).map { .some($0) }
  }
}
