/// The bus, switches and the firmware: what keeps hardware from its driver.
struct HardwareLayer: Layer {
  let assessment: Assessment
  let names: Names

  func remedies(for cause: Cause) -> [Remedy] {
    switch cause.code {
    case .usbNotAuthorized, .usbNotConfigured: usbRemedies(cause)
    case .hardwareOff: switchRemedies(cause)
    default: []
    }
  }

  // MARK: - USB

  func usbCause(_ usb: HardwareFacts.USBObstacle, _ hardware: HardwareFacts) -> Cause {
    let name = usb.name ?? "The USB \(hardwareNoun) \(usb.sysfsPath)"
    switch usb.reason {
    case .deviceNotAuthorized:
      let policy =
        hardware.authorizedDefault.map { $0 == 0 || $0 == 2 } ?? false
        ? " New devices need authorization here (usbcore.authorized_default)." : ""
      return Cause(
        .usbNotAuthorized,
        summary: """
          \(name) is plugged in but not authorized (\(usb.sysfsPath)/authorized is 0), so no \
          driver may take it.\(policy)
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

  /// What lets drivers take a USB device.
  func usbRemedies(_ cause: Cause) -> [Remedy] {
    guard let usb = facts.hardware?.usb.first(where: { $0.sysfsPath == cause.at }) else {
      return []
    }
    switch usb.reason {
    case .deviceNotAuthorized:
      return [
        Remedy(
          "Authorize the USB device",
          commands: ["echo 1 > \("\(usb.sysfsPath)/authorized".shellQuoted)"],
          actor: .administrator, lasts: "until it is plugged in again",
          assumes: Self.nodeAssumption)
      ]
    case .interfaceNotAuthorized:
      let interfaces = usb.interfaces ?? []
      guard let first = interfaces.first else { return [] }
      // A driver looks at an interface when it comes, and not when it is authorized later.
      let commands =
        interfaces.map { "echo 1 > \("/sys/bus/usb/devices/\($0)/authorized".shellQuoted)" }
        + ["echo \(first.shellQuoted) > /sys/bus/usb/drivers_probe"]
      return [
        Remedy(
          "Authorize the interfaces of the \(hardwareNoun), and let the drivers look at them again",
          commands: commands, actor: .administrator, lasts: "until it is plugged in again",
          assumes: "its driver is loaded, and \(Self.nodeAssumption)")
      ]
    case .notConfigured:
      guard let value = usb.configuration else { return [] }
      return [
        Remedy(
          "Choose the configuration that has the \(hardwareNoun)",
          commands: ["echo \(value) > \("\(usb.sysfsPath)/bConfigurationValue".shellQuoted)"],
          actor: .administrator, lasts: "until it is plugged in again",
          assumes: Self.nodeAssumption)
      ]
    }
  }

  // MARK: - Switches

  /// The attribute that says that the hardware is off.
  func switchCause(_ hardware: HardwareFacts) -> Cause? {
    guard let off = hardware.switchedOff.first else { return nil }
    return Cause(
      .hardwareOff, summary: "The hardware is switched off: \(off.path) says \(off.value).",
      at: off.path, isProven: false)
  }

  /// The shutter of a camera that works all the same.
  func privacyCause() -> Cause? {
    guard device?.isPrivate == true else { return nil }
    return Cause(
      .hardwareOff,
      summary: "The privacy control of \(path) is on: its pictures are blank.", at: path)
  }

  /// What switches hardware on that an attribute says is off.
  func switchRemedies(_ cause: Cause) -> [Remedy] {
    guard let off = facts.hardware?.switchedOff.first(where: { $0.path == cause.at }) else {
      return [
        Remedy(
          "Open the camera's shutter, or switch it on with its key", actor: .user,
          assumes: "the camera has one of them")
      ]
    }
    if off.path.hasSuffix("/authorized") {
      return [
        Remedy(
          "Authorize the USB device", commands: ["echo 1 > \(off.path.shellQuoted)"],
          actor: .administrator, lasts: "until it is plugged in again",
          assumes: """
            no daemon such as USBGuard takes the authorization back, and \(Self.nodeAssumption)
            """)
      ]
    }
    guard let on = off.on else {
      return [
        Remedy(
          "Switch the camera on with its key or shutter, or in the firmware's settings",
          actor: .user, assumes: "this machine has one of them")
      ]
    }
    return [
      Remedy(
        "Switch the camera on", commands: ["echo \(on.shellQuoted) > \(off.path.shellQuoted)"],
        actor: .administrator, takesEffect: off.needsRestart ? "after a restart" : nil,
        assumes: "the firmware lets it be set, and \(Self.nodeAssumption)")
    ]
  }
}
