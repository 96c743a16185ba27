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

extension String {
  /// Whether sysfs names devices so, such as `0000:00:1f.3`, `10-0010` or `INT33BE:00`.
  var isDeviceName: Bool {
    !isEmpty && self != "." && self != ".." && utf8.first != UInt8(ascii: "-")
      && utf8.allSatisfy { byte in
        ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) || (0x30...0x3A).contains(byte)
          || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
      }
  }

  /// Whether modules are named so; a snapshot may hold anything, such as an option of modprobe(8)
  /// or a path that leads elsewhere.
  var isModuleName: Bool {
    !isEmpty && utf8.first != UInt8(ascii: "-")
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Whether it is the path of a device in sysfs or of its attribute, and of nothing else: root is
  /// told to write there, and a snapshot may name any file.
  var isSysfsDevicePath: Bool {
    ["/sys/bus/", "/sys/class/", "/sys/devices/"].contains(where: hasPrefix)
      && CaseLimits.problem(ofCanonical: self) == nil
  }
}
