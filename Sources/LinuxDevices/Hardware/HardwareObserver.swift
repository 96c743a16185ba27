internal import AccessModel

/// Looks for what keeps a camera from having a node: hardware without a driver, switches, modules.
///
/// It reads attributes of sysfs and lists of modules, which needs no privilege; nothing is loaded.
struct HardwareObserver {
  var roots: MachineRoots

  /// The class of USB video interfaces (`USB_CLASS_VIDEO`), and the one of devices whose
  /// interfaces belong together (`USB_CLASS_MISC`), as sysfs writes them.
  private static let videoClass = "0e"
  private static let miscellaneousClass = "ef"

  func observe() -> HardwareFacts {
    var facts = HardwareFacts()
    observeBus(&facts)
    observeFirmware(&facts)
    facts.modules = ModuleObserver(roots: roots).observe(["uvcvideo", "v4l2loopback"])
    facts.areModulesDisabled = line("\(roots.proc)/sys/kernel/modules_disabled").map { $0 == "1" }
    facts.areSignaturesRequired = areSignaturesRequired
    return facts
  }

  private func observeBus(_ facts: inout HardwareFacts) {
    let directory = "\(roots.sysfs)/bus/usb/devices"
    for name in names(in: directory) {
      let path = "\(directory)/\(name)"
      if name.utf8.contains(UInt8(ascii: ":")) {
        guard line("\(path)/bInterfaceClass") == Self.videoClass,
          SysfsTree.target(of: "\(path)/driver") == nil
        else { continue }
        let device = "\(directory)/\(name.prefix { $0 != ":" })"
        facts.unbound.append(
          HardwareFacts.Unbound(
            sysfsPath: path, name: line("\(device)/product"), module: "uvcvideo"))
      } else if line("\(path)/authorized") == "0",
        [Self.videoClass, Self.miscellaneousClass].contains(line("\(path)/bDeviceClass"))
      {
        // Without authorization a device has no interfaces that would tell what it is.
        facts.switchedOff.append(HardwareFacts.Switch(path: "\(path)/authorized", value: "0"))
      }
    }
  }

  /// What laptops tell of their camera's switch: `ideapad_acpi`, and the firmware's settings.
  private func observeFirmware(_ facts: inout HardwareFacts) {
    let platform = "\(roots.sysfs)/bus/platform/devices"
    for name in names(in: platform) where name.hasPrefix("VPC2004:") {
      let path = "\(platform)/\(name)/camera_power"
      if line(path) == "0" {
        facts.switchedOff.append(HardwareFacts.Switch(path: path, value: "0"))
      }
    }
    let firmware = "\(roots.sysfs)/class/firmware-attributes"
    for interface in names(in: firmware) {
      let attributes = "\(firmware)/\(interface)/attributes"
      for name in names(in: attributes) where name.lowercased().contains("camera") {
        let path = "\(attributes)/\(name)/current_value"
        guard let value = line(path), ["disable", "disabled", "off"].contains(value.lowercased())
        else { continue }
        facts.switchedOff.append(HardwareFacts.Switch(path: path, value: value))
      }
    }
  }

  private var areSignaturesRequired: Bool? {
    let enforced = line("\(roots.sysfs)/module/module/parameters/sig_enforce").map { $0 == "Y" }
    let lockdown = line("\(roots.sysfs)/kernel/security/lockdown").map { !$0.contains("[none]") }
    if enforced == true || lockdown == true { return true }
    return enforced ?? lockdown
  }

  private func line(_ path: String) -> String? { try? BoundedFile.line(path, limit: 256) }

  private func names(in directory: String) -> [String] {
    ((try? SysfsTree.names(in: directory)) ?? []).prefix(4096).sorted()
  }
}
