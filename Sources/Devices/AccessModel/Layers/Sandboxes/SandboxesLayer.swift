internal import UdevRules

/// Snaps, flatpaks and other sandboxes.
struct SandboxesLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<SandboxesLayer>] = [
    CauseDescription(
      .snapInterface, "snap interface not connected",
      remedies: { layer, _ in layer.snapRemedies() },
      lookups: { layer, _ in layer.snapLookups() }),
    CauseDescription(
      .flatpakDevice, "flatpak without the device",
      // The user of a program cannot make it use the portal.
      prefers: { _, remedy in !remedy.commands.isEmpty },
      remedies: { layer, cause in layer.flatpakRemedies(cause.code) }),
    CauseDescription(
      .flatpakFilesystem, "flatpak without the directory",
      remedies: { layer, cause in layer.flatpakRemedies(cause.code) }),
    CauseDescription(
      .sandboxPrivateDev, "sandbox with its own /dev",
      remedies: { layer, cause in layer.sandboxRemedies(layer.place(of: cause)) }),
    CauseDescription(
      .udevDatabaseHidden, "sandbox without udev's database",
      remedies: { layer, _ in layer.databaseRemedies() }),
  ]

  private func snapLookups() -> [Lookup] {
    guard let name = confinement.snapName else { return [] }
    return [
      Lookup(
        "See which interfaces the snap is connected to", commands: ["snap connections \(name)"])
    ]
  }

  /// Returns the cause for a device that udev knows but whose node is not in the sandbox's `/dev`.
  func hiddenCause(_ node: String, known: String) -> Cause? {
    switch confinement.container {
    case "flatpak":
      Cause(
        .flatpakDevice,
        summary: """
          \(known): the flatpak was given \
          \(confinement.application?.deviceWords ?? "no devices").
          """, at: node, isProven: false)
    case "snap": snapCause(at: node)
    case "firejail", "bubblewrap":
      Cause(
        .sandboxPrivateDev, summary: "\(known): the sandbox has its own /dev.", at: node,
        isProven: false)
    default: nil
    }
  }

  /// Returns the cause for a node that is missing in a sandbox with its own `/dev`.
  func ownDevCause(at missing: String) -> Cause? {
    guard path.hasPrefix("/dev/"), hasOwnDev else { return nil }
    // A flatpak sees sysfs, which shows most devices, but not those of NVIDIA's driver, and no node of
    // the compute driver.
    if NodeCompanions.isNVIDIA(path) || path == "/dev/kfd", let flatpak = flatpakCause(at: missing)
    {
      return flatpak
    }
    guard let container = confinement.container, ["firejail", "bubblewrap"].contains(container)
    else { return nil }
    return Cause(
      .sandboxPrivateDev,
      summary: "\(path) does not exist in the \(container) sandbox, which has its own /dev.",
      at: missing, isProven: false)
  }

  // MARK: - Snaps

  /// Returns the causes for a snap whose interface might not be connected.
  ///
  /// The second cause is the snap's AppArmor profile. If securityfs is not mounted, the list of
  /// security modules does not contain AppArmor.
  func snapCauses(_ errno: Errno) -> [Cause]? {
    guard confinement.container == "snap", errno == .permissionDenied,
      assessment.kernelErrno == 0, let label = confinement.label, label.hasPrefix("snap."),
      !label.hasSuffix("(complain)")
    else { return nil }
    let profile = Cause(
      .appArmor,
      summary: """
        Modes and ACLs allow access to \(path), but open(2) is refused (EACCES): the AppArmor profile \
        \(label) probably denies it.
        """, at: path, isProven: false)
    return [path.hasPrefix("/dev/") ? snapCause(at: path) : snapFileCause(), profile]
  }

  /// Returns the cause for a device without the tag with which snapd's rules give devices to the
  /// snap, if its device control group could not be read.
  func untaggedCause() -> Cause? {
    guard confinement.isEnforcedSnap, subject.unobserved.contains(.deviceCgroup),
      facts.snapHides(path)
    else { return nil }
    return snapCause(at: path)
  }

  /// Returns the cause for a file that a strictly confined snap is not permitted to use.
  func snapFileCause() -> Cause {
    let name = confinement.snapName.map { " \($0)" } ?? ""
    let reason =
      confinement.isHiddenInHome(path)
      ? "the home interface does not cover hidden files, whose names begin with a dot"
      : SnapInterface.name(for: nil, at: path).map {
        "only the \($0) interface covers \(path), and whether it is connected cannot be seen here"
      } ?? """
        no interface covers \(path); removable-media covers only /media, /mnt and /run/media
        """
    return Cause(
      .snapInterface,
      summary: """
        Modes and ACLs allow access to \(path), but the\(name) snap is confined \
        (\(confinement.label ?? "")): \(reason).
        """, at: path, isProven: false)
  }

  /// A Boolean value that indicates whether the device is a security key (FIDO).
  ///
  /// Security keys have their own snap interface.
  private var isSecurityKey: Bool {
    guard path.hasPrefix("/dev/hidraw") else { return false }
    if device?.isSecurityKey == true { return true }
    return facts.rules?.parents.contains { parent in
      parent.properties["ID_FIDO_TOKEN"] == "1" || parent.properties["ID_SECURITY_TOKEN"] == "1"
    } ?? false
  }

  func snapCause(at path: String) -> Cause {
    let name = confinement.snapName.map { " \($0)" } ?? ""
    if isSecurityKey { return keyCause(name) }
    let interface = SnapInterface.name(for: assessment.device, at: path)
    let what =
      interface.map { "the \($0) interface, which gives access to" }
      ?? "an interface that gives access to"
    if let interface, lacksSlot(of: interface) {
      let isOnUSB = interface == "serial-port" && device?.isPluggable == true
      return Cause(
        .snapInterface,
        summary: isOnUSB
          ? """
          The\(name) snap is confined, and its raw-usb plug, which gives access to USB \
          serial ports such as \(path), is not connected.
          """
          : """
          The\(name) snap is confined and cannot get \(path): the \(interface) interface needs a \
          slot from a gadget snap, which classic systems normally lack.
          """, at: path, isProven: false)
    }
    let tagged = assessment.device?.snapTags ?? []
    var others = tagged.isEmpty ? "" : " Connected to it: \(tagged.joined(separator: ", "))."
    if interface == SnapInterface.sound {
      others += " A program that uses a sound server needs the \(soundInterface) interface instead."
    }
    return Cause(
      .snapInterface,
      summary: "The\(name) snap is not connected to \(what) \(path).\(others)",
      at: path, isProven: false)
  }

  /// Returns whether no snap provides a slot for an interface.
  ///
  /// On Ubuntu Core, a gadget snap provides such slots. A graphical session shows that the system
  /// is not Ubuntu Core.
  private func lacksSlot(of interface: String) -> Bool {
    guard SnapInterface.isOfGadgets(interface), let session = facts.session else { return false }
    return session.id != nil && ["wayland", "x11", "mir"].contains(session.type)
      && assessment.device?.snapTags.isEmpty != false
  }

  /// Returns the fixes for an interface for which no snap provides a slot.
  private func slotlessRemedies(_ name: String, _ interface: String) -> [Remedy] {
    let outside = Remedy(
      "Use the program from another package, outside the snap", actor: .user,
      scope: "the program access to everything that the snap denies it",
      assumes: Remedy.both(
        "the program is available in another package", "the user has permission to use the node"))
    guard interface == "serial-port", device?.isPluggable == true else { return [outside] }
    return [
      Remedy(
        "Connect the snap's raw-usb plug, which also gives access to USB serial ports",
        commands: ["snap connect \(name):raw-usb"], actor: .administrator,
        scope: "access to every USB device", takesEffect: "when the snap is restarted",
        assumes: "the snap has a plug called raw-usb"), outside,
    ]
  }

  /// Returns the cause for a security key that a snap cannot use.
  ///
  /// The interface `u2f-devices` lists keys by vendor and product ID.
  private func keyCause(_ name: String) -> Cause {
    let identifiers = keyIdentifiers.map { " (\($0.vendor):\($0.product))" } ?? ""
    let state =
      hasKeyRules
      ? """
      The snap's u2f-devices plug is connected, but snapd's list of keys lacks this \
      one\(identifiers)
      """
      : """
      Either the snap's u2f-devices plug is not connected, or snapd's list of keys lacks this \
      one\(identifiers)
      """
    return Cause(
      .snapInterface,
      summary: """
        \(path) is a security key. The\(name) snap reaches such keys through the u2f-devices \
        interface. \(state).
        """, at: path, isProven: false)
  }

  /// The vendor and product IDs of the security key.
  private var keyIdentifiers: (vendor: String, product: String)? {
    if let vendor = device?.hexadecimal("ID_VENDOR_ID"),
      let product = device?.hexadecimal("ID_MODEL_ID")
    {
      return (vendor, product)
    }
    for parent in facts.rules?.parents ?? [] {
      let numbers = ["ID_VENDOR_ID", "ID_MODEL_ID"].compactMap { name in
        parent.properties[UdevRuleText(name)].map { String(decoding: $0.bytes, as: UTF8.self) }
      }
      if numbers.count == 2, numbers.allSatisfy({ $0.isHexadecimal(4) }) {
        return (numbers[0], numbers[1])
      }
    }
    return nil
  }

  /// A Boolean value that indicates whether snapd's rules give the snap access to security keys.
  private var hasKeyRules: Bool {
    guard let name = confinement.snapName else { return false }
    return facts.rules?.rules.files.contains { file in
      file.path.hasSuffix("/70-snap.\(name).rules")
        && file.lines.contains { line in
          line.tokens.contains { $0.key == .subsystem && $0.value == "hidraw" }
        }
    } ?? false
  }

  /// Returns the fixes that give the snap access to a security key.
  ///
  /// They connect the interface or tag the key as snapd's rules do.
  private func keyRemedies(_ name: String) -> [Remedy] {
    let connect = Remedy(
      "Connect the snap's u2f-devices plug", commands: ["snap connect \(name):u2f-devices"],
      actor: .administrator, scope: "access to every security key that snapd knows",
      takesEffect: "when the snap is restarted",
      assumes: "the snap has a plug called u2f-devices, and snapd's list has the key")
    guard let key = keyIdentifiers, let tag = confinement.snapTag else {
      return hasKeyRules ? [] : [connect]
    }
    let rule = """
      SUBSYSTEM=="hidraw", ATTRS{idVendor}=="\(key.vendor)", ATTRS{idProduct}=="\(key.product)", \
      TAG+="\(tag)"
      """
    let own = Remedy(
      "Tag the key for the snap, in a file that sorts before snapd's own rules",
      commands: UdevRuleRemedies.commands(adding: rule, to: "69-devaccess-snap.rules")
        + UdevTrigger(facts).commands(node: path, device: device),
      actor: .administrator, scope: "access to every key of the model",
      assumes:
        "the u2f-devices interface is connected, which allows the snap to use hidraw nodes")
    return hasKeyRules ? [own] : [connect, own]
  }

  func snapRemedies() -> [Remedy] {
    guard let name = confinement.snapName else { return [] }
    if isSecurityKey { return keyRemedies(name) }
    if confinement.isHiddenInHome(path) {
      return [
        Remedy(
          "Move the files to a directory whose name does not begin with a dot", actor: .user,
          assumes: "the home interface is connected")
      ]
    }
    guard let interface = SnapInterface.name(for: device, at: assessment.access.request.path) else {
      guard confinement.snapHides(path) else { return [] }
      return [
        Remedy(
          """
          Bind-mount its directory below /media or /mnt, and connect the snap's removable-media \
          plug, which gives access there
          """, actor: .administrator,
          scope: "access to everything else below /media, /mnt and /run/media",
          takesEffect: "when the snap is restarted",
          assumes: Remedy.both(
            "the snap has a plug called removable-media", "the program uses the path there"))
      ]
    }
    if lacksSlot(of: interface) { return slotlessRemedies(name, interface) }
    let slot =
      SnapInterface.isOfGadgets(interface)
      ? ", and a gadget snap has a slot for it (snap interface \(interface))" : ""
    let own = connection(
      of: name, to: interface, assuming: "the snap has a plug called \(interface)\(slot)")
    guard interface == SnapInterface.sound else { return [own] }
    let server = connection(
      of: name, to: soundInterface,
      assuming: Remedy.both(
        "the program uses a sound server (PulseAudio or PipeWire)",
        "the snap has a plug called \(soundInterface)"))
    // A question about the microphone, rather than about a node, usually concerns the sound server.
    return facts.kind == nil ? [own, server] : [server, own]
  }

  /// The interface for programs that use the sound device through a sound server.
  private var soundInterface: String {
    device?.kernelName.hasSuffix("p") == true ? "audio-playback" : "audio-record"
  }

  private func connection(of name: String, to interface: String, assuming: String?) -> Remedy {
    Remedy(
      "Connect the snap's \(interface) plug", commands: ["snap connect \(name):\(interface)"],
      actor: .administrator,
      scope: "access to everything else that the \(interface) interface covers",
      takesEffect: "when the snap is restarted", assumes: assuming)
  }

  // MARK: - Others

  /// Returns the cause for a directory of devices that firejail has covered with an empty one.
  func coveredFolder(_ node: Node) -> Cause? {
    guard confinement.container == "firejail", node.path.isBelow("/dev"), node.mode & 0o077 == 0,
      access.mounts.contains(where: { $0.at.isSame(as: node.path) })
    else { return nil }
    return Cause(
      .sandboxPrivateDev,
      summary: """
        firejail has covered \(node.path) with a directory that only root may enter, so the program \
        reaches no device in it.
        """, at: node.path, isProven: false)
  }

  /// A Boolean value that indicates whether the sandbox's command has options that add a device.
  var isOfOptions: Bool { ["bubblewrap", "firejail"].contains(confinement.container) }

  /// Returns the fixes that add the device with the options of the sandbox's command.
  func sandboxRemedies(_ path: String) -> [Remedy] {
    if confinement.container == "bubblewrap" {
      let start = ContainerOptions(assessment: assessment, names: names)
      let pairs = [(start.outsidePath(path), path)] + start.otherNodes(path).map { ($0, $0) }
      return [
        Remedy(
          "Bind the node into the sandbox with --dev-bind, after the --dev option",
          options: pairs.map { "--dev-bind \($0.shellQuoted) \($1.shellQuoted)" }, actor: .packager,
          takesEffect: "when the program is restarted",
          assumes: "the user has permission to use the node")
      ]
    }
    // A whitelist mounts an empty filesystem and binds nodes into it. A private `/dev` has its own
    // nodes.
    if let mount = assessment.access.mounts.last(where: { $0.at == "/dev" }),
      mount.fstype == "tmpfs", mount.nodev
    {
      return [
        Remedy(
          "Add the node to the whitelist of the sandbox",
          options: ["--whitelist=\(path.shellQuoted)"], actor: .packager,
          takesEffect: "when the program is restarted",
          assumes: Remedy.both(
            "nothing other than the whitelist hides the node",
            "the user has permission to use it"))
      ]
    }
    let (setting, scope) = firejailSetting(path)
    let start = ContainerOptions(assessment: assessment, names: names)
    let settings = [setting] + (lacksGroup(ofNodeAt: path) ? start.firejailSettings : [])
    let listed = settings.listed(with: "and")
    return [
      Remedy(
        "Have firejail ignore \(listed)\(ContainerOptions.inProfile(settings))",
        options: settings.map { "--ignore=\($0)" },
        actor: .packager, scope: scope,
        takesEffect: "when the program is restarted",
        assumes: Remedy.both(
          "the profile sets \(setting) (if the command line sets it, remove it there)",
          "the user has permission to use the node"))
    ]
  }

  /// Returns whether the sandbox has removed the usual group of such nodes from the process.
  private func lacksGroup(ofNodeAt path: String) -> Bool {
    guard let usual = DeviceGroup.usual(ofSubsystem: device?.subsystem, at: path),
      let group = names.groupID(usual), facts.account.loginGroups?.contains(group) == true
    else { return false }
    return !subject.groups.contains(group) && subject.fsgid != group
  }

  /// Returns the setting of firejail(1) that hides a node, and the devices that are visible without
  /// it.
  ///
  /// The default is the private `/dev`, which hides all devices that have no setting of their own.
  private func firejailSetting(_ path: String) -> (name: String, scope: String) {
    switch device?.subsystem ?? DeviceKind.ofNode(at: path)?.subsystem {
    case DeviceKind.camera.subsystem:
      return ("novideo", "access to every camera that the user can open")
    case DeviceKind.microphone.subsystem:
      return ("nosound", "access to all sound devices and to sound servers")
    case DeviceKind.gpu.subsystem:
      return ("no3d", "access to every graphics card that the user can open")
    case DeviceKind.hidraw.subsystem:
      return ("nou2f", "access to every HID device that the user can open")
    // Version 0.9.66 of 2021 added this setting; before, the private `/dev` had no input devices.
    case DeviceKind.input.subsystem where !confinement.hasKernel(before: "5.13"):
      return ("noinput", "access to every input device that the user can open")
    default: return ("private-dev", "access to every device node that the user can open")
    }
  }
}
