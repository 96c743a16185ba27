/// Remedies for hardware that the kernel knows and that has no node, and for nodes without a
/// device.
extension RemedyWriter {
  private static var nodeAssumption: String {
    "the rules of udev give its node to the user or one of their groups"
  }

  /// A driver for hardware that has none: bound where it is loaded, loaded where its module is
  /// there and may be loaded; nothing for a module that does not exist.
  func driverRemedies(_ cause: Cause) -> [Remedy] {
    if let path = cause.at, path.hasPrefix("/dev/") { return nodeDriverRemedies(path) }
    guard let hardware = facts.hardware,
      let unbound = hardware.unbound.first(where: { $0.sysfsPath == cause.at }),
      let module = hardware.modules.first(where: { $0.name == unbound.module })
    else { return [] }
    if module.isLoaded {
      let interface = unbound.sysfsPath.split(separator: "/").last.map(String.init) ?? ""
      let driver = "/sys/bus/usb/drivers/\(module.name)/bind"
      return [
        Remedy(
          "Bind the driver to the camera",
          commands: ["echo \(interface.shellQuoted) > \(driver.shellQuoted)"],
          actor: .administrator, lasts: "until it is unbound again",
          assumes: Self.nodeAssumption)
      ]
    }
    return loadRemedies(
      module, assuming: "the driver supports the hardware, and \(Self.nodeAssumption)")
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
          "Authorize the interfaces of the camera, and let the drivers look at them again",
          commands: commands, actor: .administrator, lasts: "until it is plugged in again",
          assumes: "its driver is loaded, and \(Self.nodeAssumption)")
      ]
    case .notConfigured:
      guard let value = usb.configuration else { return [] }
      return [
        Remedy(
          "Choose the configuration that has the camera",
          commands: ["echo \(value) > \("\(usb.sysfsPath)/bConfigurationValue".shellQuoted)"],
          actor: .administrator, lasts: "until it is plugged in again",
          assumes: Self.nodeAssumption)
      ]
    }
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

  /// A daemon that sets the permissions of nodes, where none runs.
  func udevRemedies(_ path: String) -> [Remedy] {
    [
      Remedy(
        "Start udev, and let it handle the device",
        commands: [
          "systemctl start systemd-udevd.service",
          "udevadm trigger --settle --action=add \(path.shellQuoted)",
        ], actor: .administrator,
        assumes: "the rules of udev give the node to the user or one of their groups")
    ]
  }

  /// What to do about a node without a device behind it.
  func goneRemedies() -> [Remedy] {
    [
      Remedy(
        "Unplug the device and plug it in again", actor: .user,
        assumes: "the device still works")
    ]
  }

  /// Where the kernel and systemd say what failed or was filtered.
  func failureLookups(_ code: CauseCode) -> [Lookup] {
    if code == .openFailed {
      return [
        Lookup(
          "Read what the driver says", commands: ["journalctl -k -n 50 --no-pager"],
          isPrivileged: true)
      ]
    }
    guard let unit = confinement.serviceUnit else { return [] }
    return [
      Lookup(
        "Read the filter of the unit",
        commands: ["systemctl show -p SystemCallFilter,SystemCallErrorNumber \(unit.shellQuoted)"])
    ]
  }
}
