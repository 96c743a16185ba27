extension CauseFinder {
  /// The causes of a refusal that only the kernel gave: a rule outside the model.
  func outsideCauses(_ errno: Int32) -> [Cause] {
    if let nodev = hiddenNodevCause(errno) { return [nodev] }
    if let snap = snapCauses(errno) { return snap }
    let attempted = attemptCauses(errno)
    if !attempted.isEmpty { return attempted }
    let isDevice = judgement.object?.type.isDevice ?? false
    if errno == ErrorNumber.notPermitted, isDevice {
      // A seccomp filter can answer EPERM in the kernel's place, to the check as well.
      return deviceCgroupCauses(at: path, isProven: confinement.seccompMode != 2)
    }
    if let mount = judgement.mount, mount.fstype.hasPrefix("nfs") {
      return [
        Cause(
          .nfsIDMap,
          summary: """
            \(path) is on a file server (\(mount.fstype) at \(mount.at)), which refuses \(user): \
            it decides by its own idea of who that is.
            """, at: path, isProven: false)
      ]
    }
    if errno == ErrorNumber.accessDenied, case .granted = judgement.decision.outcome,
      confinement.hasLabelModule
    {
      let module = confinement.securityModules?.contains("selinux") ?? false
      let label = confinement.label.map { " for \($0)" } ?? ""
      return [
        Cause(
          module ? .selinux : .unknown,
          summary: """
            Modes and lists allow \(path), and the kernel still refuses (EACCES): the policy of \
            \(module ? "SELinux" : "the active security module") does\(label).
            """, at: path, isProven: false)
      ]
    }
    if case .undecided = judgement.decision.outcome, let node = judgement.decidingStep?.node,
      node.uid == Self.overflow || node.gid == Self.overflow
    {
      return [
        Cause(
          .usernsUnmapped,
          summary: """
            The kernel refuses \(path) (\(Comparison.name(errno))), and \(node.path) shows as \
            \(names.user(node.uid)) and \(names.group(node.gid)): the user namespace does not map \
            its owner or group.
            """, at: node.path, isProven: false)
      ]
    }
    return [
      Cause(
        .unknown,
        summary: """
          The kernel refuses \(path) (\(Comparison.name(errno))) for a reason that the model does \
          not see.
          """, at: path, isProven: false)
    ]
  }

  /// How an identifier shows that the namespace does not map: `fs.overflowuid`.
  private static let overflow: UInt32 = 65534

  /// The device control group, and the unit or the container behind it.
  func deviceCgroupCauses(at path: String, isProven: Bool) -> [Cause] {
    let layer = Cause(
      .cgroupDevice,
      summary: """
        The device control group\(confinement.cgroup.map { " \($0)" } ?? "") refuses \(path) \
        (EPERM), whoever asks.
        """, at: path, isProven: isProven)
    if let container = confinement.container, !isOfUnit || judgement.isRefusedOutsideModel {
      if container == "snap" { return [snapCause(at: path), layer] }
      return [layer]
    }
    guard let unit = confinement.serviceUnit else { return [layer] }
    return [
      Cause(
        .unitPrivateDevices,
        summary: "The device policy of \(unit) refuses \(path) (EPERM), whoever asks.", at: path,
        isProven: isOfUnit),
      layer,
    ]
  }

  /// What a snap meets whose interface is not connected: its AppArmor profile, whose module is
  /// not listed where securityfs is not mounted.
  private func snapCauses(_ errno: Int32) -> [Cause]? {
    guard confinement.container == "snap", errno == ErrorNumber.accessDenied,
      judgement.kernelErrno == 0, let label = confinement.label, label.hasPrefix("snap."),
      !label.hasSuffix("(complain)")
    else { return nil }
    let profile = Cause(
      .appArmor,
      summary: """
        Modes and lists allow \(path), and open(2) is refused (EACCES): the AppArmor profile \
        \(label) may not allow it.
        """, at: path, isProven: false)
    return [snapCause(at: path), profile]
  }

  /// A file system that a user namespace may have mounted: its superblock then takes no devices,
  /// and neither its options nor the kernel's check tell.
  private func hiddenNodevCause(_ errno: Int32) -> Cause? {
    guard errno == ErrorNumber.accessDenied, judgement.kernelErrno == 0,
      subject.userNamespace != nil, judgement.object?.type.isDevice ?? false,
      let mount = judgement.mount, mount.unobserved.contains(.superblockNodev)
    else { return nil }
    return Cause(
      .mountNodev,
      summary: """
        \(path) is on the \(mount.fstype) at \(mount.at), which a user namespace may have \
        mounted: devices on such a file system cannot be opened, and its options do not show it.
        """, at: path, isProven: false)
  }

  func snapCause(at path: String) -> Cause {
    let name = confinement.snapName.map { " \($0)" } ?? ""
    let tagged = judgement.device?.snapTags ?? []
    let others = tagged.isEmpty ? "" : " Connected to it: \(tagged.joined(separator: ", "))."
    return Cause(
      .snapInterface,
      summary: "The snap\(name) is not connected to the interface that gives \(path).\(others)",
      at: path, isProven: false)
  }

  /// A node that `InaccessiblePaths=` or `PrivateDevices=` put in place of the real one: no
  /// permissions and no device number; `nil` for any other.
  func hiddenByUnit(at node: Node?) -> [Cause]? {
    guard let node, node.type.isDevice, node.mode & 0o777 == 0,
      node.rdev == DeviceNumber(major: 0, minor: 0)
    else { return nil }
    let unit = confinement.unit ?? "the systemd unit"
    return [
      Cause(
        .unitInaccessiblePath,
        summary: "\(unit) covers \(node.path) with a node that nobody may open.", at: node.path)
    ]
  }
}

extension ConfinementFacts {
  /// The systemd service of the subject; `nil` in a session, where the user manager and the
  /// scopes of logind have no device policy.
  var serviceUnit: String? {
    guard let unit, unit.hasSuffix(".service"), !unit.hasPrefix("user@") else { return nil }
    return unit
  }

  /// The snap in a label such as `snap.firefox.geckodriver (enforce)`.
  var snapName: String? {
    guard let label, label.hasPrefix("snap.") else { return nil }
    let name = label.dropFirst(5).prefix { $0 != "." && $0 != " " }
    let isPlain = name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
    }
    return !name.isEmpty && isPlain ? String(name) : nil
  }

  /// The application in a scope such as `app-flatpak-org.gnome.Snapshot-4711.scope`.
  ///
  /// The unit of a program of a user's manager is that manager; its own scope is the last part of
  /// the control group.
  var flatpakApplication: String? {
    let group = cgroup.flatMap { $0.split(separator: "/").last.map(String.init) }
    return [unit, group].lazy.compactMap { $0.flatMap(Self.flatpakApplication(in:)) }.first
  }

  private static func flatpakApplication(in unit: String) -> String? {
    guard unit.hasPrefix("app-flatpak-"), unit.hasSuffix(".scope"),
      let end = unit.lastIndex(of: "-")
    else { return nil }
    let prefix = "app-flatpak-"
    guard unit.distance(from: unit.startIndex, to: end) > prefix.count else { return nil }
    // systemd writes a hyphen inside a name as \x2d.
    let name = unit[..<end].dropFirst(prefix.count)
      .split(separator: #"\x2d"#, omittingEmptySubsequences: false).joined(separator: "-")
    let isPlain = name.utf8.allSatisfy { byte in
      ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) || (0x30...0x39).contains(byte)
        || byte == 0x2D || byte == 0x5F || byte == 0x2E
    }
    return name.contains(".") && !name.hasPrefix("-") && isPlain ? name : nil
  }
}

extension DeviceFacts {
  /// The tags of connected snap plugs, such as `snap_firefox_firefox`.
  var snapTags: [String] { (currentTags ?? tags).filter { $0.hasPrefix("snap_") }.sorted() }
}
