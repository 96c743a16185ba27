/// Remedies for mounts, containers, services and security modules.
extension RemedyWriter {
  /// A drop-in for a unit, and the restart that makes it count.
  func dropIn(
    _ unit: String, _ lines: [String], title: String, excess: String? = nil
  ) -> Remedy {
    let directory = "/etc/systemd/system/\(unit).d"
    let text = (["[Service]"] + lines).map(\.shellQuoted).joined(separator: " ")
    return Remedy(
      title,
      commands: [
        "mkdir -p \(directory.shellQuoted)",
        "printf '%s\\n' \(text) > \("\(directory)/devaccess.conf".shellQuoted)",
        "systemctl daemon-reload",
        "systemctl restart \(unit.shellQuoted)",
      ], actor: .administrator, excess: excess, takesEffect: "with the restart of \(unit)")
  }

  func unitDeviceRemedies(_ path: String) -> [Remedy] {
    guard let unit = confinement.serviceUnit, path.hasPrefix("/dev/"), path.isConfigurationWord
    else { return [] }
    let letters = wanted.letters
    return [
      dropIn(
        unit, ["PrivateDevices=no", "DevicePolicy=closed", "DeviceAllow=\(path) \(letters)"],
        title: "Allow \(unit) this device",
        excess: "PrivateDevices=no shows \(unit) the whole /dev"),
      Remedy(
        "See what the unit allows",
        commands: [
          "systemctl show -p PrivateDevices,DevicePolicy,DeviceAllow \(unit.shellQuoted)"
        ], actor: .user),
    ]
  }

  func unitUserRemedies(_ node: Node?) -> [Remedy] {
    guard let node else { return [] }
    return [join(node.gid)].compactMap(\.self)
  }

  func unitHomeRemedies(_ path: String) -> [Remedy] {
    guard let unit = confinement.serviceUnit else { return [] }
    let target = judgement.access.request.path
    guard target.isConfigurationWord else { return [] }
    return [
      dropIn(
        unit, ["ProtectHome=tmpfs", "BindPaths=\(target)"],
        title: "Show \(unit) this one directory")
    ]
  }

  func unitPathRemedies() -> [Remedy] {
    guard let unit = confinement.unit else { return [] }
    return [
      Remedy(
        "See which setting covers the path, and take it out",
        commands: ["systemctl cat \(unit.shellQuoted)"], actor: .administrator,
        takesEffect: "with the restart of \(unit)")
    ]
  }

  // MARK: - Mounts and inode flags

  func mountRemedies(_ code: CauseCode, _ path: String) -> [Remedy] {
    guard let mount = judgement.mount else { return [] }
    if confinement.container != nil, code == .mountNodev { return [passDevice(path)] }
    if code == .mountNodev, mount.superblockNodev, !mount.nodev {
      return [
        Remedy(
          "Make the node on a file system that was mounted outside the user namespace",
          commands: [], actor: .administrator)
      ]
    }
    let (option, excess): (String, String) =
      switch code {
      case .mountNodev: ("dev", "every device node on \(mount.at) works then")
      case .mountReadOnly: ("rw", "everything on \(mount.at) can be written then")
      default: ("exec", "every program on \(mount.at) can run then")
      }
    return [
      Remedy(
        "Mount \(mount.at) again with the option \(option)",
        commands: ["mount -o remount,\(option) \(mount.at.shellQuoted)"], actor: .administrator,
        excess: excess)
    ]
  }

  func attributeRemedies(_ code: CauseCode, _ path: String) -> [Remedy] {
    let flag = code == .fileImmutable ? "i" : "a"
    return [
      Remedy(
        "Take the mark off the inode", commands: ["chattr -\(flag) \(path.shellQuoted)"],
        actor: .administrator)
    ]
  }

  // MARK: - Containers and sandboxes

  /// Whether the container takes the options of docker-run(1) and podman-run(1).
  private var takesRunOptions: Bool {
    ["docker", "podman", "containerd", "oci"].contains(confinement.container)
  }

  func passDevice(_ path: String) -> Remedy {
    let hasSeparator = path.contains(":") || path.contains(",")
    var commands: [String] = []
    if takesRunOptions, !hasSeparator {
      commands = ["--device=\(path.shellQuoted)"]
    } else if confinement.container == "systemd-nspawn", path.isConfigurationWord {
      commands = ["--bind=\(path)", "--property=DeviceAllow='\(path) \(wanted.letters)'"]
    }
    return Remedy(
      "Start the container with the device", commands: commands, actor: .packager,
      takesEffect: "in a new container")
  }

  func keepGroups() -> Remedy {
    let isPodman = confinement.container == nil || confinement.container == "podman"
    return Remedy(
      "Start the container with the groups of the user (podman does so with crun)",
      commands: isPodman ? ["--group-add=keep-groups"] : [], actor: .packager,
      takesEffect: "in a new container")
  }

  func containerRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    let path = path.hasPrefix("/dev/") ? path : device?.node ?? path
    guard let node, judgement.verdict != .absent else { return [passDevice(path)] }
    if let device, let number = device.number, let rdev = node.rdev, number != rdev {
      return [
        Remedy(
          "Allow the container the whole device class, so that a replug does not matter",
          commands: ["--device-cgroup-rule='c \(number.major):* rw'"], actor: .packager,
          excess: "every device with major number \(number.major)",
          takesEffect: "in a new container"),
        passDevice(path),
      ]
    }
    var remedies: [Remedy] = []
    if node.gid != 0, node.owningGroupPermissions.isSuperset(of: wanted) {
      remedies.append(
        Remedy(
          "Start the container's user with the group number of the node",
          commands: takesRunOptions ? ["--group-add=\(node.gid)"] : [], actor: .packager,
          excess: "everything else that \(names.group(node.gid)) may use in the container",
          takesEffect: "in a new container"))
    }
    remedies += [entry(path, node)].compactMap(\.self)
    return remedies
  }

  func namespaceRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    if judgement.decision.rule == .inodeUnmappedID {
      return [
        Remedy(
          "Mount it with an id map that covers the owner and the group", commands: [],
          actor: .administrator)
      ]
    }
    var remedies = [entry(path, node)].compactMap(\.self)
    if let node, node.owningGroupPermissions.isSuperset(of: wanted), subject.userNamespace != nil {
      remedies.append(keepGroups())
    }
    return remedies
  }

  func cgroupRemedies(_ path: String) -> [Remedy] {
    switch confinement.container {
    case "snap": []
    case .some where facts.origin?.kind == .unit: []
    case .some: [passDevice(path)]
    case nil:
      confinement.unit.map { unit in
        [
          Remedy(
            "See what the unit allows",
            commands: ["systemctl show -p DevicePolicy,DeviceAllow \(unit.shellQuoted)"],
            actor: .user)
        ]
      } ?? []
    }
  }

  func snapRemedies() -> [Remedy] {
    guard let name = confinement.snapName,
      let interface = SnapInterface.name(for: device, at: judgement.access.request.path)
    else { return [] }
    return [
      Remedy(
        "Connect the snap's \(interface) plug", commands: ["snap connect \(name):\(interface)"],
        actor: .administrator, excess: "everything else that \(interface) gives",
        takesEffect: "when the snap is started again")
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
          ], actor: .user, takesEffect: "when the application is started again")
      ]
    }
    return [
      Remedy(
        "Use the camera portal, which asks and gives the camera alone", commands: [],
        actor: .packager),
      Remedy(
        "Give the flatpak devices",
        commands: ["\(override) --device=all \(application.shellQuoted)"],
        actor: .user, excess: "every device node that its user may open",
        takesEffect: "when the application is started again"),
    ]
  }

  func sandboxRemedies(_ path: String) -> [Remedy] {
    if confinement.container == "bubblewrap" {
      return [
        Remedy(
          "Bind the node into the sandbox",
          commands: ["--dev-bind \(path.shellQuoted) \(path.shellQuoted)"], actor: .packager,
          takesEffect: "when the program is started again")
      ]
    }
    return [
      Remedy(
        "Take private-dev and novideo out of the sandbox profile",
        commands: ["--ignore=private-dev --ignore=novideo"], actor: .packager,
        excess: "every device node that its user may open",
        takesEffect: "when the program is started again")
    ]
  }

  // MARK: - The rest

  func moduleRemedies(_ code: CauseCode) -> [Remedy] {
    switch code {
    case .selinux:
      [
        Remedy(
          "Read which access was refused, and allow that one in a policy module",
          commands: ["ausearch -m avc -ts recent"], actor: .administrator)
      ]
    case .appArmor:
      [
        Remedy(
          "Read which access was refused, and allow that one in the profile",
          commands: ["journalctl -k -g 'apparmor=.DENIED'"], actor: .administrator)
      ]
    default: []
    }
  }

  func capabilityRemedies() -> [Remedy] {
    let names = judgement.raisableCapabilities.map { "CAP_" + $0.name.uppercased() }
    return [
      Remedy(
        names.isEmpty
          ? "Ask for access: the program takes its other identifier for the one open"
          : "Ask for access: the program raises \(names.first ?? "it") for the one open",
        commands: [], actor: .program)
    ]
  }

  func albumRemedies(_ path: String) -> [Remedy] {
    guard facts.album?.path != nil else { return [] }
    return [
      Remedy("Make the directory", commands: ["mkdir -p \(path.shellQuoted)"], actor: .user)
    ]
  }

  func serverRemedies() -> [Remedy] {
    [
      Remedy(
        "Give the same user the same number here and on the server, or change the export's mapping",
        commands: [], actor: .administrator)
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
