extension HardwareFacts.USBInterface {
  /// What takes it from its driver; `nil` for names that are none of sysfs.
  var unbindCommand: String? {
    guard let driver, !driver.isEmpty, !driver.utf8.contains(UInt8(ascii: "/")),
      driver != ".", driver != "..", name.isUSBPlace
    else { return nil }
    return "echo \(name) > \("/sys/bus/usb/drivers/\(driver)/unbind".shellQuoted)"
  }
}

extension HardwareFacts.USBObstacle {
  /// The device as a rule of USBGuard knows it (usbguard-rules.conf(5)): by its numbers and its
  /// port; `nil` for names that are none of sysfs.
  var guardRule: String? {
    let port = sysfsPath.split(separator: "/").last.map(String.init) ?? ""
    guard port.isUSBPlace, !port.utf8.contains(UInt8(ascii: ":")) else { return nil }
    let numbers = identifiers.flatMap { $0.isUSBIdentifier ? "id \($0) " : nil } ?? ""
    return numbers + "via-port \"\(port)\""
  }
}
