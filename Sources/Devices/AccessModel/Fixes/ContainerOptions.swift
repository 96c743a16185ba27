internal import UdevRules

/// The engine options that give a container access to a device or to the group of its node.
struct ContainerOptions: AssessmentReader {
  let assessment: Assessment
  let names: Names

  // MARK: - A device

  /// Returns the fixes that pass the device to the container, with the options of its engine.
  ///
  /// A device that can be replugged gets two fixes: a permanent one for the whole class, and one
  /// for its current node.
  ///
  /// - Parameters:
  ///   - path: The path of the node in the container.
  ///   - replugged: The current device, if it reappeared under another number.
  /// - Returns: The fixes, with the permanent one first.
  func passDevice(_ path: String, replugged: DeviceFacts? = nil) -> [Remedy] {
    // If only the directory of the node is missing, use the requested node.
    let asked = assessment.access.request.path
    let path =
      replugged != nil ? path : assessment.linkInQuestion ?? (asked.isBelow(path) ? asked : path)
    let node = assessment.access.object(at: path)
    // A device that reappeared has a different node from the one in the container.
    let isThere = replugged == nil && node?.type.isDevice ?? false
    var remedy = Remedy(
      "Start the container with the device", actor: .packager,
      changes: isThere ? [.lift(.deviceProgram)] : [],
      takesEffect: confinement.recreation,
      until: replugged != nil || isPluggable(path) ? .replug : .never,
      assumes: isThere ? nil : "the container's user has permission to use the node")
    let outside = outsidePath(path)
    let others = replugged == nil ? otherNodes(path) : []
    let pairs = [outside == path ? path : "\(outside):\(path)"] + others
    if !others.isEmpty {
      remedy.title =
        "Start the container with the device, and with the nodes that programs open together with it"
    }
    switch confinement.container {
    case _ where confinement.takesRunOptions && path.hasPrefix("/dev/bus/usb/"):
      // The number of a USB node changes each time the device is plugged in.
      remedy.title = "Start the container with the whole USB bus"
      remedy.steps[0].options =
        ["--volume=/dev/bus/usb:/dev/bus/usb"] + deviceRule("c 189:* \(letters)")
      remedy.scope = "access to every USB device that the container's user has permission to use"
      remedy.end = .never
    case _ where confinement.takesRunOptions:
      let classRemedy = passClass(path, isThere: isThere, replugged: replugged)
      // A container with `--device=` does not start if the node does not exist.
      if let classRemedy, isMadeByProgram { return [classRemedy] }
      guard !(path + outside).utf8.contains(where: ":,".utf8.contains) else {
        return classRemedy.map { [$0] } ?? [remedy]
      }
      let absent = NodeCompanions.required(with: path).filter { companion in
        assessment.access.object(at: companion) == nil && !others.contains(companion)
      }
      remedy.steps[0].options =
        [Self.deviceOption(path, outside: outside, letters)]
        + others.map { Self.deviceOption($0, outside: $0, letters) }
        + absent.map { Self.deviceOption($0, outside: $0, "rw") }
      addUse(of: path, to: &remedy)
      if isThere, isBoundAlone(node) {
        remedy.title = "Start the container with --device in place of the volume"
        remedy.end = .never
        if isPluggable(path) {
          // Docker resolves the path each time the container starts. Podman keeps the device
          // number.
          let isKept = confinement.container == "podman"
          remedy.takesEffect = """
            when the container is recreated; after each replug, \
            \(isKept ? "create another one" : "restart it")
            """
        }
      }
      return [classRemedy].compactMap(\.self) + withInterface(remedy, path)
    case "systemd-nspawn":
      guard path.isConfigurationWord, outside.isConfigurationWord else { break }
      // `DeviceAllow=` accepts nodes and classes, but not directories.
      // ALSA opens several nodes of a card.
      let isOfSound = path.hasPrefix("/dev/snd/")
      let allowed =
        isOfSound
        ? ["DeviceAllow=char-alsa rw"]
        : ([outside] + others).map { node in
          "DeviceAllow=\(node == "/dev/dri" ? "char-drm" : node) \(letters)"
        }
      if isOfSound { remedy.scope = "access to every sound device" }
      if isThere {
        guard confinement.cgroup?.hasSuffix(".scope") == true else {
          return [allowInUnit(allowed, remedy.changes, scope: remedy.scope)]
        }
        // A container that is started by hand has a scope, and no unit that could be changed.
        remedy.title = "Start the container with options that allow the device"
        remedy.steps[0].options = allowed.map { "--property=\($0)".shellQuoted }
        return [remedy]
      }
      remedy.steps[0].options =
        pairs.map { "--bind=\($0)".shellQuoted }
        + allowed.map { "--property=\($0)".shellQuoted }
    case "apptainer", "singularity":
      return bindRemedies(path, outside: outside, others: others, isThere: isThere)
    case "lxc":
      let managed = managedRemedies(path, others: others, changes: remedy.changes)
      let manager = ContainerManager(of: facts)
      // Proxmox VE can pass devices since version 8.2, which came with Linux 6.8.
      let isOldProxmox = manager == .proxmox && !isThere && confinement.hasKernel(before: "6.8")
      guard isOldProxmox || managed.isEmpty || manager == nil || manager == .lxc,
        path.isConfigurationWord, outside.isConfigurationWord,
        let number = replugged?.number ?? node?.rdev ?? device?.number ?? DeviceNumber(of: path)
      else { return managed }
      // After the next replug, the device has yet another number.
      let isWhole = replugged != nil && !number.isSharedByDrivers
      let minor = isWhole ? "*" : String(number.minor)
      remedy.title =
        isOldProxmox
        ? "Add these lines to the container's configuration, in /etc/pve/lxc"
        : "If this is a plain LXC container, add these lines to its configuration"
      let companions = others.compactMap { other in
        access.nodes.first { $0.path == other }?.rdev.map { (other, other, $0, String($0.minor)) }
      }
      // Proxmox VE uses the second version of control groups since version 7, with Linux 5.11.
      let isFirst = confinement.hasKernel(before: manager == .proxmox ? "5.11" : "4.5")
      let group = isFirst ? "lxc.cgroup" : "lxc.cgroup2"
      remedy.steps[0].options = ([(outside, path, number, minor)] + companions).flatMap {
        outside, path, number, minor in
        [
          "\(group).devices.allow = \(typeLetter(node)) \(number.major):\(minor) \(letters)",
          "lxc.mount.entry = \(outside) \(path.dropFirst()) none bind,optional,create=file",
        ]
      }
      if isWhole { remedy.scope = "access to every device with major number \(number.major)" }
      remedy.takesEffect = "when the container is restarted"
      return isOldProxmox ? [remedy] + managed : managed + [remedy]
    case "kubernetes" where isKata:
      remedy.title = """
        Set sandbox_cgroup_only=false in Kata's configuration.toml, so that the virtual machine does not run \
        in the pod's cgroup
        """
      remedy.end = .never
      remedy.assumes = "nothing outside the pod's cgroup refuses the device"
      return [remedy]
    case "kubernetes":
      remedy.title =
        """
        Request the device from a device plugin, in the container's section of the pod manifest; \
        replace RESOURCE with the plugin's name for the device
        """
      remedy.steps[0].options = ["resources: {limits: {RESOURCE: 1}}"]
      remedy.steps[0].changes = []
      remedy.end = .never
      remedy.assumes = """
        a device plugin on the Kubernetes node, such as smarter-device-manager or \
        generic-device-plugin, offers \(outside)
        """
      if !isThere, isPrivileged { return [canAppearLater(path) ? newPod : hostDevices, remedy] }
      if isThere, hasLostNVIDIA(path) { return [linksOfNVIDIA, remedy] }
    default: return [unknownEngineRemedy(remedy, path, isThere: isThere)]
    }
    return [remedy]
  }

  /// Returns the fix that mounts the host's `/dev` and allows all devices of the driver.
  ///
  /// With this fix, the container also sees devices that are plugged in later.
  ///
  /// - Returns: The fix; `nil` if the device cannot be replugged, or if its driver shares the major
  ///   number with other drivers.
  private func passClass(_ path: String, isThere: Bool, replugged: DeviceFacts?) -> Remedy? {
    let node = assessment.access.object(at: path)
    guard confinement.takesRunOptions, replugged != nil || canAppearLater(path),
      let number = (replugged ?? device ?? hiddenDevice(at: path))?.number ?? node?.rdev,
      !number.isSharedByDrivers
    else { return nil }
    let directory = ["/dev/input", "/dev/snd"].first { path.isBelow($0) } ?? "/dev"
    let rule = deviceRule("\(typeLetter(node)) \(number.major):* \(letters)")
    let mount = access.mount(of: path)
    if isThere, !rule.isEmpty, mount?.fstype == "devtmpfs",
      mount.map({ directory.isAtOrBelow($0.at) }) == true
    {
      // A second volume could make a directory writable that is mounted read-only.
      return Remedy(
        "Allow the container, which has the host's \(directory), to use every device with major number \(number.major)",
        options: rule, actor: .packager, changes: [.lift(.deviceProgram)],
        scope: "access to every device with major number \(number.major)",
        takesEffect: confinement.recreation)
    }
    let allowing =
      rule.isEmpty ? "" : ", and allow it to use every device with major number \(number.major)"
    return Remedy(
      "Start the container with the host's \(directory)\(allowing)",
      options: ["--volume=\(directory):\(directory)"] + rule, actor: .packager,
      changes: isThere ? [.lift(.deviceProgram)] : [],
      scope: rule.isEmpty
        ? "access to everything in the host's \(directory) that the container's user may use"
        : "access to every device with major number \(number.major)"
          + (directory == "/dev" ? ", and to the host's /dev/shm, /dev/pts and /dev/mqueue" : ""),
      takesEffect: confinement.recreation,
      assumes: isThere ? nil : "the container's user has permission to use the node")
  }

  /// Returns the option that adds a rule to the container's device policy.
  ///
  /// A rootless podman container has no device policy, and podman refuses the option for it, so the
  /// result is empty.
  private func deviceRule(_ rule: String) -> [String] {
    let isRootless = confinement.container == "podman" && subject.userNamespace != nil
    return isRootless ? [] : ["--device-cgroup-rule='\(rule)'"]
  }

  /// Returns whether the device can be, or has been, plugged in while the container runs.
  private func isPluggable(_ path: String) -> Bool {
    if let number = device?.number, let rdev = assessment.access.object(at: path)?.rdev,
      number != rdev
    {
      return true
    }
    if device?.bus == "usb" || device?.sysfsPath.contains("/usb") == true { return true }
    return ["/dev/ttyUSB", "/dev/ttyACM"].contains(where: path.hasPrefix)
  }

  /// Returns whether the device can appear while the container runs.
  ///
  /// This includes input devices that programs create with `/dev/uinput` and `/dev/uhid`, which get
  /// a new number each time.
  func canAppearLater(_ path: String) -> Bool { isPluggable(path) || isMadeByProgram }

  private var isMadeByProgram: Bool {
    ["input", "hidraw"].contains(device?.subsystem)
      && device?.sysfsPath.hasPrefix("/sys/devices/virtual/") == true
  }

  /// Returns whether a volume passes only this node of the host's `/dev`.
  ///
  /// Such a node is always the host's current one.
  func isBoundAlone(_ node: Node?) -> Bool {
    guard let node, confinement.takesRunOptions,
      assessment.access.mount(of: node.path)?.fstype == "devtmpfs"
    else { return false }
    return assessment.access.mounts.contains { $0.at.isSame(as: node.path) }
  }

  private func typeLetter(_ node: Node?) -> String {
    node?.type == .blockDevice || device?.subsystem == "block" ? "b" : "c"
  }

  /// The requested permissions, as the letters of a device cgroup rule.
  var letters: String { Self.letters(wanted) }

  /// Returns permissions as the letters of a device cgroup rule, or `rw` if they are empty.
  static func letters(_ wanted: Permissions) -> String {
    let wanted = wanted.intersection([.read, .write])
    return wanted.isEmpty ? "rw" : wanted.letters
  }

  /// Returns the docker-run(1) and podman-run(1) option for one device.
  ///
  /// An option without letters allows reading, writing and creating the node.
  static func deviceOption(_ path: String, outside: String, _ letters: String) -> String {
    let paths = letters == "rw" && outside == path ? path : "\(outside):\(path)"
    return "--device=\((letters == "rw" ? paths : "\(paths):\(letters)").shellQuoted)"
  }

  /// Returns the path of a node on the host, which may differ from its path in the container.
  func outsidePath(_ path: String) -> String {
    if device?.node == path, let outside = device?.systemNode { return outside }
    // Many pods see the node's own /dev as /host/dev.
    return path.hasPrefix("/host/dev/") ? String(path.dropFirst("/host".count)) : path
  }

  /// Returns the fixes that allow the device in the device cgroup of a container.
  func policyRemedies(_ path: String) -> [Remedy] {
    // A sandbox does not have its own device list.
    guard confinement.container != nil, !confinement.isSandbox, facts.origin?.kind != .unit else {
      return []
    }
    return passDevice(assessment.access.object(at: path)?.path ?? path)
  }

  // MARK: - The manager of a system container

  /// Returns the fixes that make Incus, LXD or Proxmox pass in the node with one of the user's
  /// groups.
  ///
  /// The manager may already pass in the node with another group.
  func managedRemedies(
    _ path: String, others: [String] = [], changes: [FactsChange], isPassedIn: Bool = false
  ) -> [Remedy] {
    let outside = outsidePath(path)
    guard confinement.container == "lxc", path.isConfigurationWord, outside.isConfigurationWord,
      !(path + outside).utf8.contains(UInt8(ascii: ",")),
      let name = path.parts(at: "/").last.map(String.init)
    else { return [] }
    let type = typeLetter(assessment.access.object(at: path)) == "b" ? "unix-block" : "unix-char"
    let inside = ownGroup.flatMap { id in
      subject.userNamespace.map { $0.groups.inside(id) } ?? id
    }
    let manager = ContainerManager(of: facts)
    return (manager.map { [$0] } ?? [.lxd, .proxmox]).compactMap { manager in
      var remedy = Remedy(
        "Have \(manager.words) pass the device to the container", actor: .administrator,
        changes: changes,
        assumes: "\(manager.words) manages the container")
      switch manager {
      case .lxd, .incus:
        let program = manager == .lxd ? "lxc" : "incus"
        if isPassedIn, let inside {
          remedy.title += """
             with group \(inside); replace NAME and DEVICE with \(manager.words)'s names for the \
            container and the device
            """
          remedy.steps[0].commands = ["\(program) config device set NAME DEVICE gid=\(inside)"]
          remedy.assumes = "\(manager.words) already passes the device to the container"
          break
        }
        remedy.title += "; replace NAME with the container's name"
        let group = inside.map { ["gid=\($0)"] } ?? []
        let nodes =
          [(name, outside, path)]
          + others.map { ($0.parts(at: "/").last.map(String.init) ?? $0, $0, $0) }
        remedy.steps[0].commands = nodes.map { name, outside, path in
          // Older releases have no `source=`.
          let source = outside == path ? [] : ["source=\(outside.shellQuoted)"]
          let words =
            ["\(program) config device add NAME", name.shellQuoted, type] + source
            + ["path=\(path.shellQuoted)"]
          return (words + group).joined(separator: " ")
        }
      case .proxmox:
        let lines = [outside] + others
        remedy.title +=
          ": add \(others.isEmpty ? "this line" : "these lines") to the container's configuration"
          + (isPassedIn || isMounted(path) ? ", and remove any other line for this device" : "")
        remedy.steps[0].options = lines.enumerated().map { index, node in
          "dev\(index): \(node)" + (inside.map { ",gid=\($0)" } ?? "")
        }
        remedy.takesEffect = "when the container is restarted"
        let numbers = others.isEmpty ? "dev0 is" : "dev0 to dev\(others.count) are"
        remedy.assumes = """
          \(manager.words) (8.2 or newer) manages the container, and \(numbers) not used yet
          """
      case .lxc: return nil
      }
      return remedy
    }
  }

  /// Returns whether a line such as `lxc.mount.entry` has mounted this node of the host.
  private func isMounted(_ path: String) -> Bool {
    access.mounts.contains { $0.at.isSame(as: path) && $0.fstype == "devtmpfs" }
  }

  /// Returns whether udev rules inside a system container set the group of the node.
  ///
  /// The rules override the manager's settings each time the container starts.
  func isSetInside(_ node: Node) -> Bool {
    guard confinement.isSystemContainer, let hardware = facts.hardware,
      hardware.hasUdevControl == true
        || (hardware.hasUdevControl == nil && hardware.hasUdevDaemon == true),
      let device, device.node == node.path, device.isInitialized
    else { return false }
    if let rules = facts.rules, rules.node == node.path, let report = rules.report("add") {
      return report.node.group.known.map { $0 != nil } ?? true
    }
    return DeviceGroup.usual(ofSubsystem: device.subsystem, at: node.path) != nil
  }

  /// Returns whether a group has the number of the node's group only by coincidence.
  ///
  /// The number comes from outside the container. Inside, it belongs to a group that is unrelated
  /// to such devices.
  func isAccidental(_ group: UInt32, _ node: Node) -> Bool {
    guard confinement.container != nil, !confinement.isSandbox, !confinement.isWSL,
      node.type.isDevice, let name = names.groupName(group), !isSetInside(node)
    else { return false }
    return DeviceGroup.isUnrelated(name, ofSubsystem: device?.subsystem, at: node.path)
  }

  /// The user's group to pass a node in with; `nil` for root, who does not need one.
  ///
  /// The order of preference is the usual group for such devices, other device groups, and the
  /// user's primary group.
  var ownGroup: UInt32? {
    let isRoot =
      (subject.userNamespace.map { $0.users.inside(subject.fsuid) } ?? subject.fsuid) == 0
    let held = subject.groups.filter { $0 != subject.fsgid && $0 != Subject.overflowID }
    let named = [deviceGroup, "video", "render", "audio", "dialout", "kvm"]
    return named.lazy.compactMap { name in held.first { names.groupName($0) == name } }.first
      ?? (isRoot ? nil : subject.fsgid)
  }

  /// The system group that systemd's and Debian's rules assign to such devices.
  var deviceGroup: String {
    DeviceGroup.usual(ofSubsystem: device?.subsystem, at: path) ?? "plugdev"
  }
}
