/// Remedies for services, mounts and security modules.
extension RemedyWriter {
  /// A drop-in for a service, and the restart that makes it count.
  func dropIn(
    _ unit: String, _ lines: [String], named name: String, title: String,
    changes: [FactsChange] = [], scope: String? = nil, lasts: String? = nil,
    assumes: String? = nil
  ) -> Remedy {
    Remedy(
      title,
      steps: [
        .dropIns(
          [UnitDropIn(unit: unit, lines: lines, name: name)], restarting: unit, changes: changes)
      ], scope: scope, takesEffect: "on restart of \(unit)", lasts: lasts, assumes: assumes)
  }

  func unitDeviceRemedies(_ path: String) -> [Remedy] {
    let object = judgement.access.object(at: judgement.access.request.path)
    let path = object?.path ?? device?.node ?? path
    // DeviceAllow= means nodes: a directory or a file in it would be ignored.
    guard let unit = confinement.serviceUnit, path.hasPrefix("/dev/"), path.isConfigurationWord,
      object?.type.isDevice ?? true
    else { return [] }
    // A sound card is opened through its control node as well, so that all its nodes are meant.
    let isSound = path.hasPrefix("/dev/snd/")
    let allowed = isSound ? "char-alsa rw" : "\(path) \(wanted.letters)"
    return [
      dropIn(
        unit, ["PrivateDevices=no", "DevicePolicy=closed", "DeviceAllow=\(allowed)"],
        named: "devaccess-device",
        title: isSound ? "Allow \(unit) the sound devices" : "Allow \(unit) this device",
        changes: object == nil ? [] : [.lift(.deviceProgram)],
        scope: "PrivateDevices=no shows \(unit) the whole /dev"
          + (isSound ? ", and every sound device that lets its user in" : ""),
        lasts: device?.bus == "usb" && !isSound
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

  /// The list of hidden paths can be written in many files, so no command takes one out of it.
  func unitPathRemedies(_ path: String) -> [Remedy] {
    guard let unit = confinement.serviceUnit else { return [] }
    let cover = judgement.access.mounts.last { mount in
      mount.isCover && (path == mount.at || path.hasPrefix(mount.at + "/"))
    }
    return [
      Remedy(
        "Remove \(cover?.at ?? path) from InaccessiblePaths= of \(unit)", actor: .administrator,
        takesEffect: "on restart of \(unit)",
        assumes: "what the unit covers there lets the user of \(unit) in")
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

  /// Lets a service write where a setting of its unit forbids it.
  func unitWriteRemedies() -> [Remedy] {
    let path = judgement.access.object(at: judgement.access.request.path)?.path
    guard let unit = confinement.serviceUnit, let path, path.isConfigurationWord else { return [] }
    return [
      dropIn(
        unit, ["ReadWritePaths=\(path)"], named: "devaccess-write",
        title: "Let \(unit) write \(path)",
        assumes: "only a setting of the unit, such as ProtectSystem=, makes it read-only")
    ]
  }

  /// What no remount can do.
  func mountRemedies(_ path: String) -> [Remedy] {
    guard let mount = judgement.mount else { return [] }
    var remedies: [Remedy] = []
    if confinement.container != nil, path.hasPrefix("/dev/") {
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
        actor: .administrator, assumes: "the owner and mode that it gets there let the user in")
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

  /// Adds to the policy of a security module what its log says was refused.
  func policyModuleRemedies(_ code: CauseCode) -> [Remedy] {
    switch code {
    case .selinux:
      [
        Remedy(
          "Allow what SELinux refused, by a policy module made from its log",
          commands: [
            "ausearch -m avc -ts recent | audit2allow -M devaccess", "semodule -i devaccess.pp",
          ], actor: .administrator,
          scope: "everything else that the log says was refused in the last ten minutes",
          assumes: "devaccess.te, to be read before it is loaded, holds this access alone")
      ]
    case .appArmor where confinement.container == nil:
      [
        Remedy(
          "Add what AppArmor refused to the profile, as aa-logprof(8) proposes",
          commands: ["aa-logprof"], actor: .administrator,
          assumes: "the log holds the refusal, and only that line is accepted")
      ]
    default: []
    }
  }

  func albumRemedies(_ path: String) -> [Remedy] {
    if let album = facts.album?.path, album != path, facts.kind == nil {
      let request = judgement.access.request
      let rest = request.path.hasPrefix(path + "/") ? request.path.dropFirst(path.count) : ""
      return [
        Remedy(
          "Use \(album), the directory that xdg-user-dir(1) names", actor: .program,
          changes: [.ask(request.at("\(album)\(rest)"))])
      ]
    }

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
        actor: .administrator,
        assumes: "the permissions on the server let that number in")
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
