internal import UdevRules

/// The buses, switches and firmware settings that prevent a driver from using hardware.
struct HardwareLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<HardwareLayer>] = [
    CauseDescription(
      .usbNotAuthorized, "USB device not authorized", object: .hardware,
      remedies: { layer, cause in layer.usbRemedies(cause) }),
    CauseDescription(
      .usbNotConfigured, "USB device not configured", object: .hardware,
      remedies: { layer, cause in layer.usbRemedies(cause) }),
    CauseDescription(
      .hardwareOff, "hardware switched off", object: .hardware,
      remedies: { layer, cause in layer.boardRemedies(cause) ?? layer.switchRemedies(cause) },
      lookups: { layer, cause in layer.boardCameraLookups(cause) }),
  ]

  // MARK: - USB

  func usbCause(_ usb: HardwareFacts.USBObstacle, _ hardware: HardwareFacts) -> Cause {
    let name = usb.name ?? "The USB \(hardwareNoun) \(usb.sysfsPath)"
    switch usb.reason {
    case .deviceNotAuthorized:
      return Cause(
        .usbNotAuthorized,
        summary: """
          \(name) is plugged in but not authorized (\(usb.sysfsPath)/authorized is 0), so \
          drivers cannot bind to it.\(policy(usb, hardware))
          """, at: usb.sysfsPath)
    case .interfaceNotAuthorized:
      let interfaces = (usb.interfaces ?? []).prefix(4).joined(separator: ", ")
      return Cause(
        .usbNotAuthorized,
        summary: "\(name) is plugged in, but no driver may use its interfaces (\(interfaces)): "
          + "they are not authorized.", at: usb.sysfsPath)
    case .notConfigured:
      return Cause(
        .usbNotConfigured,
        summary: """
          \(name) is plugged in but has no configuration (\(usb.sysfsPath)/bConfigurationValue), \
          so it has no interfaces that a driver could take.
          """, at: usb.sysfsPath)
    }
  }

  /// Returns a sentence that explains which policy blocks new devices, with a leading space.
  ///
  /// The sentence is empty if the policy is unknown.
  private func policy(_ usb: HardwareFacts.USBObstacle, _ hardware: HardwareFacts) -> String {
    if hardware.services.contains(Self.guardService) {
      return " USBGuard is running, and decides which devices are authorized."
    }
    if [0, 2].contains(hardware.authorizedDefault) {
      return " New devices need authorization here (usbcore.authorized_default)."
    }
    guard let value = usb.hubDefault, [0, 2].contains(value) else { return "" }
    return " New devices need authorization on its bus (authorized_default of the root hub)."
  }

  private static let guardService = "usbguard.service"

  /// Returns the cause for a raw USB node whose interfaces no program can claim.
  ///
  /// The cause also applies if the user is not allowed to open the node.
  func closedCause() -> Cause? {
    guard let hardware = facts.hardware, let usb = rawObstacle else { return nil }
    if case .undecided = assessment.conclusion { return nil }
    let opening = "\(path) may \(assessment.isGranted ? "be opened, but" : "not be opened, and")"
    switch usb.reason {
    case .deviceNotAuthorized:
      return Cause(
        .usbNotAuthorized,
        summary: """
          \(opening) the device is not authorized (\(usb.sysfsPath)/authorized is 0), so it has no \
          interfaces that a program could claim.\(policy(usb, hardware))
          """, at: usb.sysfsPath)
    case .interfaceNotAuthorized:
      let interfaces = (usb.interfaces ?? []).prefix(4).joined(separator: ", ")
      return Cause(
        .usbNotAuthorized,
        summary: """
          \(opening) its interfaces \(interfaces) are not authorized, so no program can claim them.
          """, at: usb.sysfsPath)
    case .notConfigured: return nil
    }
  }

  /// The USB obstacle that affects the device of the requested raw node, for all users.
  private var rawObstacle: HardwareFacts.USBObstacle? {
    guard let device, device.subsystem == DeviceKind.usb.subsystem else { return nil }
    return facts.hardware?.usb.first { $0.sysfsPath == device.sysfsPath }
  }

  /// Returns the remedies that authorize one device.
  ///
  /// If USBGuard is running, they go through USBGuard, because it would revoke any other
  /// authorization.
  private func authorizationRemedies(_ usb: HardwareFacts.USBObstacle) -> [Remedy] {
    let assumption = authorizationAssumption
    guard facts.hardware?.services.contains(Self.guardService) == true, let rule = usb.guardRule
    else {
      return [
        Remedy(
          "Authorize the USB device",
          commands: ["echo 1 > \("\(usb.sysfsPath)/authorized".shellQuoted)"],
          actor: .administrator, until: .replug,
          assumes: assumption, caution: authorizationCaution)
      ] + busRemedies(usb)
    }
    return [
      Remedy(
        "Allow the device in USBGuard",
        commands: ["usbguard allow-device \(rule.shellQuoted)"], actor: .administrator,
        until: .replug, assumes: assumption, caution: authorizationCaution),
      Remedy(
        "Allow the device in USBGuard, and add a rule for it to its policy",
        commands: ["usbguard allow-device -p \(rule.shellQuoted)"], actor: .administrator,
        scope: usb.hasSerial == false
          ? "access to every device of the model that has no serial number either, on the same hub"
          : "access to the device whenever it is replugged, in every port of the hub",
        // USBGuard does not write a rule for a device that it already allows.
        assumes: Remedy.both("USBGuard still blocks the device", assumption),
        caution: authorizationCaution),
    ]
  }

  /// Returns the remedy that authorizes every new device on the bus.
  ///
  /// The root hub can keep the value 0 or 2 from a policy daemon that was stopped or removed. A
  /// reboot resets the value to the kernel's default.
  private func busRemedies(_ usb: HardwareFacts.USBObstacle) -> [Remedy] {
    let bus = (usb.sysfsPath.split(separator: "/").last ?? "").prefix { $0 != "-" }
    guard facts.hardware?.services.contains(Self.guardService) != true,
      !bus.isEmpty, bus.utf8.allSatisfy(\.isDecimal)
    else { return [] }
    let device = "echo 1 > \("\(usb.sysfsPath)/authorized".shellQuoted)"
    let scope = "every device on USB bus \(bus) access to this machine"
    let assumes = Remedy.both("no daemon sets the value again", authorizationAssumption)
    if let value = facts.hardware?.authorizedDefault, [0, 2].contains(value) {
      return [
        Remedy(
          """
          Remove usbcore.authorized_default=\(value) from the kernel command line or from \
          /etc/modprobe.d
          """, commands: [device], actor: .administrator,
          scope: "every USB device access to this machine",
          takesEffect: "at once for this device, and after a reboot for others",
          assumes: Remedy.both("the option is set there", authorizationAssumption),
          caution: authorizationCaution)
      ]
    }
    guard let value = usb.hubDefault, [0, 2].contains(value) else { return [] }
    return [
      Remedy(
        "Authorize this device and every new device on its bus",
        commands: ["echo 1 > /sys/bus/usb/devices/usb\(bus)/authorized_default", device],
        actor: .administrator, scope: scope, until: .boot, assumes: assumes,
        caution: authorizationCaution)
    ]
  }

  /// The conditions under which an authorized device is usable.
  private var authorizationAssumption: String? {
    guard rawObstacle != nil else { return nodeAssumption }
    return assessment.isGranted ? nil : "\(user) has permission to use its node"
  }

  /// The condition under which it is safe to authorize the requested raw device.
  private var authorizationCaution: String? { rawObstacle.map { _ in "you trust the device" } }

  /// Returns the remedies that allow drivers to bind to a USB device.
  func usbRemedies(_ cause: Cause) -> [Remedy] {
    guard let usb = facts.hardware?.usb.first(where: { $0.sysfsPath == cause.at }),
      usb.sysfsPath.isSysfsDevicePath
    else { return [] }
    switch usb.reason {
    case .deviceNotAuthorized: return authorizationRemedies(usb)
    case .interfaceNotAuthorized:
      let interfaces = usb.interfaces ?? []
      guard let first = interfaces.first, interfaces.allSatisfy(\.isUSBPlace) else { return [] }
      // The kernel probes an interface when it appears, but not when it is authorized later.
      let commands =
        interfaces.map { "echo 1 > \("/sys/bus/usb/devices/\($0)/authorized".shellQuoted)" }
        + ["echo \(first.shellQuoted) > /sys/bus/usb/drivers_probe"]
      return [
        Remedy(
          "Authorize the interfaces of the \(hardwareNoun), and have the drivers probe them again",
          commands: commands, actor: .administrator, until: .replug,
          assumes: rawObstacle == nil
            ? Remedy.both("its driver is loaded", nodeAssumption) : authorizationAssumption,
          caution: authorizationCaution)
      ]
    case .notConfigured:
      guard let value = usb.configuration, (1...255).contains(value) else { return [] }
      return [
        Remedy(
          "Choose the configuration that has the \(hardwareNoun)",
          commands: ["echo \(value) > \("\(usb.sysfsPath)/bConfigurationValue".shellQuoted)"],
          actor: .administrator, until: .replug,
          assumes: nodeAssumption)
      ]
    }
  }

  // MARK: - Switches

  /// Returns the cause for hardware that is switched off according to a sysfs attribute.
  func switchCause(_ hardware: HardwareFacts) -> Cause? {
    guard let off = hardware.switchedOff.first else { return nil }
    return Cause(
      .hardwareOff,
      summary: off.path.hasSuffix("/authorized")
        ? "The USB device is not authorized: \(off.path) is \(off.value)."
        : "The hardware is switched off: \(off.path) is \(off.value).",
      at: off.path, isProven: false)
  }

  /// Returns the cause for a camera that works but delivers blank pictures because of its privacy
  /// control.
  func privacyCause() -> Cause? {
    guard device?.isPrivate == true else { return nil }
    return Cause(
      .hardwareOff,
      summary: "The privacy control of \(path) is on: its pictures are blank.", at: path)
  }

  /// Returns the remedies that switch the hardware on.
  func switchRemedies(_ cause: Cause) -> [Remedy] {
    guard let off = facts.hardware?.switchedOff.first(where: { $0.path == cause.at }) else {
      return [
        Remedy(
          "Open the camera's shutter, or switch it on with its key", actor: .user,
          assumes: "the camera has one of them")
      ]
    }
    let isAttribute = off.path.isSysfsDevicePath
    if isAttribute, off.path.hasSuffix("/authorized") {
      return [
        Remedy(
          "Authorize the USB device", commands: ["echo 1 > \(off.path.shellQuoted)"],
          actor: .administrator, until: .replug,
          assumes: Remedy.both(
            "no daemon such as USBGuard revokes the authorization", nodeAssumption))
      ]
    }
    if off.isInDeviceTree {
      return [
        Remedy(
          "Switch the \(hardwareNoun) on in the device tree, with an overlay of the board",
          actor: .administrator, takesEffect: "after a reboot", assumes: nodeAssumption)
      ]
    }
    guard let on = off.on, isAttribute, !on.hasPrefix("-") else {
      return [
        Remedy(
          "Switch the \(hardwareNoun) on with its key or switch, or in the firmware settings",
          actor: .user, assumes: "this machine has one of them")
      ]
    }
    return [
      Remedy(
        "Switch the \(hardwareNoun) on",
        commands: ["echo \(on.shellQuoted) > \(off.path.shellQuoted)"],
        actor: .administrator, takesEffect: off.needsRestart ? "after a reboot" : nil,
        assumes: Remedy.both("the firmware allows this setting", nodeAssumption))
    ]
  }
}
