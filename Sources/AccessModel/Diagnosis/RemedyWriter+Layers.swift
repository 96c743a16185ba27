/// Remedies for services, mounts, containers and security modules.
extension RemedyWriter {
  /// The commands that write a drop-in for a unit and restart it.
  static func dropInCommands(
    _ unit: String, _ lines: [String], named name: String = "devaccess-groups"
  ) -> [String] {
    let directory = "/etc/systemd/system/\(unit).d"
    let text = (["[Service]"] + lines).map(\.shellQuoted).joined(separator: " ")
    return [
      "mkdir -p \(directory.shellQuoted)",
      "printf '%s\\n' \(text) > \("\(directory)/\(name).conf".shellQuoted)",
      "systemctl daemon-reload",
      "systemctl restart \(unit.shellQuoted)",
    ]
  }

  /// A drop-in for a unit, and the restart that makes it count.
  func dropIn(
    _ unit: String, _ lines: [String], named name: String, title: String,
    changes: [FactsChange] = [], scope: String? = nil, lasts: String? = nil,
    assumes: String? = nil
  ) -> Remedy {
    Remedy(
      title, commands: Self.dropInCommands(unit, lines, named: name), actor: .administrator,
      changes: changes, scope: scope, takesEffect: "on restart of \(unit)", lasts: lasts,
      assumes: assumes)
  }

  func unitDeviceRemedies(_ path: String) -> [Remedy] {
    let object = judgement.access.object(at: judgement.access.request.path)
    let path = object?.path ?? device?.node ?? path
    // DeviceAllow= means nodes: a directory or a file in it would be ignored.
    guard let unit = confinement.serviceUnit, path.hasPrefix("/dev/"), path.isConfigurationWord,
      object?.type.isDevice ?? true
    else { return [] }
    return [
      dropIn(
        unit,
        ["PrivateDevices=no", "DevicePolicy=closed", "DeviceAllow=\(path) \(wanted.letters)"],
        named: "devaccess-device", title: "Allow \(unit) this device",
        changes: object == nil ? [] : [.lift(.deviceProgram)],
        scope: "PrivateDevices=no shows \(unit) the whole /dev",
        lasts: device?.bus == "usb"
          ? "until the device comes back under another number, which a restart of \(unit) takes up"
          : nil,
        assumes: object == nil
          ? "the node's own permissions let the user of \(unit) in" : nil)
    ]
  }

  func unitDeviceLookups() -> [Lookup] {
    guard let unit = confinement.unit else { return [] }
    return [
      Lookup(
        "See which devices the unit may use",
        commands: [
          "systemctl show -p PrivateDevices,DevicePolicy,DeviceAllow \(unit.shellQuoted)"
        ])
    ]
  }

  func unitHomeRemedies(_ path: String) -> [Remedy] {
    guard let unit = confinement.serviceUnit else { return [] }
    let target = judgement.access.request.path
    guard target.isConfigurationWord else { return [] }
    return [
      dropIn(
        unit, ["ProtectHome=tmpfs", "BindPaths=\(target)"], named: "devaccess-home",
        title: "Show \(unit) this one directory",
        assumes: "the directory's own permissions let the user of \(unit) in")
    ]
  }

  func unitPathLookups() -> [Lookup] {
    guard let unit = confinement.unit else { return [] }
    return [
      Lookup(
        "See which setting of the unit covers the path",
        commands: ["systemctl cat \(unit.shellQuoted)"])
    ]
  }

  // MARK: - Mounts

  /// What no remount can do.
  func mountRemedies(_ path: String) -> [Remedy] {
    guard let mount = judgement.mount else { return [] }
    var remedies: [Remedy] = []
    if confinement.container != nil {
      var passed = passDevice(path)
      // The container gets another node, on a filesystem of its engine's.
      for index in passed.steps.indices { passed.steps[index].changes = [] }
      passed.assumes =
        passed.assumes ?? "the node's owner and mode let the user of the container in"
      remedies = [passed]
    }
    guard mount.superblockNodev || mount.unobserved.contains(.superblockNodev), !mount.nodev else {
      return remedies
    }
    return remedies + [
      Remedy(
        "Create the node on a filesystem that was mounted outside the user namespace",
        actor: .administrator, assumes: "its mode and list there let the user in")
    ]
  }

  // MARK: - Containers and sandboxes

  /// Whether the container takes the options of docker-run(1) and podman-run(1).
  private var takesRunOptions: Bool {
    ["docker", "podman", "containerd", "oci"].contains(confinement.container)
  }

  func passDevice(_ path: String) -> Remedy {
    let hasSeparator = path.contains(":") || path.contains(",")
    var options: [String] = []
    if takesRunOptions, !hasSeparator {
      options = ["--device=\(path.shellQuoted)"]
    } else if confinement.container == "systemd-nspawn", path.isConfigurationWord {
      options = ["--bind=\(path)", "--property=DeviceAllow='\(path) \(wanted.letters)'"]
    }
    let isThere = judgement.access.object(at: path)?.type.isDevice ?? false
    return Remedy(
      "Start the container with the device", options: options, actor: .packager,
      changes: isThere ? [.lift(.deviceProgram)] : [], takesEffect: "in a new container",
      lasts: device?.bus == "usb" ? "until the device is plugged in again" : nil,
      assumes: isThere ? nil : "the node's owner and mode let the user of the container in")
  }

  func keepGroups() -> Remedy {
    let isPodman = confinement.container == nil || confinement.container == "podman"
    return Remedy(
      "Start the container with the groups of the user (podman does so with crun)",
      options: isPodman ? ["--group-add=keep-groups"] : [], actor: .packager,
      takesEffect: "in a new container",
      assumes: "the user who starts it is in the group outside")
  }

  func containerRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    let path = path.hasPrefix("/dev/") ? path : device?.node ?? path
    guard let node, judgement.verdict != .absent else { return [passDevice(path)] }
    if let device, let number = device.number, let rdev = node.rdev, number != rdev {
      return [
        passDevice(path),
        Remedy(
          "Show the container the whole /dev, and allow it the device's class",
          options: ["-v /dev:/dev", "--device-cgroup-rule='c \(number.major):* rw'"]
            .filter { _ in takesRunOptions }, actor: .packager,
          scope: "every device with major number \(number.major)",
          takesEffect: "in a new container",
          assumes: "the node's owner and mode let the user of the container in"),
      ]
    }
    guard node.gid != 0, node.owningGroupPermissions.isSuperset(of: wanted), takesRunOptions,
      subject.userNamespace.map({ $0.groups.inside(node.gid) != nil }) ?? true
    else { return subject.userNamespace == nil ? [] : [keepGroups()] }
    let inside = subject.userNamespace?.groups.inside(node.gid) ?? node.gid
    return [
      Remedy(
        "Start the container's user with the group number of the node",
        options: ["--group-add=\(inside)"], actor: .packager,
        changes: [.addGroups([node.gid], isPrimary: false)],
        scope: "everything else that \(names.group(node.gid)) may use in the container",
        takesEffect: "in a new container")
    ]
  }

  func namespaceRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    if judgement.decision.rule == .inodeUnmappedID {
      return [
        Remedy(
          "Mount it with an ID map that covers the owner and the group", actor: .administrator,
          assumes: "its mode and list let the user in")
      ]
    }
    guard let node, node.owningGroupPermissions.isSuperset(of: wanted),
      subject.userNamespace != nil, confinement.container != nil
    else { return [] }
    return [keepGroups()]
  }

  func cgroupRemedies(_ path: String) -> [Remedy] {
    guard let container = confinement.container, container != "snap",
      facts.origin?.kind != .unit
    else { return [] }
    return [passDevice(judgement.access.object(at: path)?.path ?? path)]
  }

  func snapRemedies() -> [Remedy] {
    guard let name = confinement.snapName,
      let interface = SnapInterface.name(for: device, at: judgement.access.request.path)
    else { return [] }
    return [
      Remedy(
        "Connect the snap's \(interface) plug", commands: ["snap connect \(name):\(interface)"],
        actor: .administrator, scope: "everything else that \(interface) gives",
        takesEffect: "when the snap is started again",
        assumes: "the snap has a plug called \(interface)")
    ]
  }

  func flatpakRemedies(_ code: CauseCode, _ path: String) -> [Remedy] {
    guard let application = confinement.flatpakApplication else { return [] }
    let override = "flatpak override --user"
    if code == .flatpakFilesystem {
      let place =
        facts.kind == DeviceKind.album.name ? "xdg-pictures" : judgement.access.request.path
      return [
        Remedy(
          "Give the flatpak the directory",
          commands: [
            "\(override) --filesystem=\(place.shellQuoted) \(application.shellQuoted)"
          ], actor: .user, takesEffect: "when the application is started again",
          assumes: "the directory exists outside and its own permissions let the user in")
      ]
    }
    return [
      Remedy(
        "Use the camera portal, which asks and gives access only to the camera", actor: .packager,
        assumes: "the user says yes when the portal asks"),
      Remedy(
        "Give the flatpak all devices",
        commands: ["\(override) --device=all \(application.shellQuoted)"],
        actor: .user, scope: "every device node that its user may open",
        takesEffect: "when the application is started again",
        assumes: "the node's own permissions let the user in"),
    ]
  }

  func sandboxRemedies(_ path: String) -> [Remedy] {
    if confinement.container == "bubblewrap" {
      return [
        Remedy(
          "Bind the node into the sandbox",
          options: ["--dev-bind \(path.shellQuoted) \(path.shellQuoted)"], actor: .packager,
          takesEffect: "when the program is started again",
          assumes: "the node's own permissions let the user in")
      ]
    }
    return [
      Remedy(
        "Remove private-dev and novideo from the sandbox profile",
        options: ["--ignore=private-dev --ignore=novideo"], actor: .packager,
        scope: "every device node that its user may open",
        takesEffect: "when the program is started again",
        assumes: "the node's own permissions let the user in")
    ]
  }

  // MARK: - The rest

  func moduleLookups(_ code: CauseCode) -> [Lookup] {
    switch code {
    case .selinux:
      [
        Lookup(
          "Read which access SELinux refused", commands: ["ausearch -m avc -ts recent"],
          isPrivileged: true)
      ]
    case .appArmor:
      [
        Lookup(
          "Read which access AppArmor refused",
          commands: ["journalctl -k -g 'apparmor=.DENIED'"], isPrivileged: true)
      ]
    default: []
    }
  }

  func albumRemedies(_ path: String) -> [Remedy] {
    guard facts.album?.path == path, CaseLimits.problem(ofCanonical: path) == nil else {
      return []
    }
    return [
      Remedy(
        "Create the directory", commands: ["mkdir -p \(path.shellQuoted)"], actor: .user,
        changes: [.makeDirectory(path: path)])
    ]
  }

  func serverRemedies() -> [Remedy] {
    [
      Remedy(
        "Give the same user the same number here and on the server, or change the export's mapping",
        actor: .administrator, assumes: "the server then lets that number in")
    ]
  }
}

extension String {
  /// Whether systemd reads the text as one word that stands for itself.
  var isConfigurationWord: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\\")
          && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'") && byte != UInt8(ascii: ":")
      }
  }
}
