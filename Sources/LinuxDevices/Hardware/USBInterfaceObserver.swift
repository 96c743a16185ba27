internal import AccessModel

/// Finds the interfaces of USB devices, and which driver has each.
struct USBInterfaceObserver {
  /// `USB_MAXINTERFACES`: no configuration has more.
  private static let mostInterfaces = 32
  /// More than any bus has (127 a bus); this bounds a hostile tree.
  static let mostDevices = 512

  /// The interfaces of the devices that have a raw node, in the order of their names.
  ///
  /// One whose driver cannot be seen is noted, and left out: that it has none would be a guess.
  func interfaces(
    of devices: [DeviceFacts], _ reader: inout HardwareReader
  ) -> [HardwareFacts.USBInterface] {
    var interfaces: [HardwareFacts.USBInterface] = []
    for device in devices.prefix(Self.mostDevices)
    where device.subsystem == DeviceKind.usb.subsystem && device.node != nil {
      for name in Self.names(of: device, &reader) {
        let path = "\(device.sysfsPath)/\(name)"
        guard let driver = reader.linkName(at: "\(path)/driver") else { continue }
        interfaces.append(
          HardwareFacts.USBInterface(
            sysfsPath: path, driver: driver.isEmpty ? nil : driver,
            interfaceClass: reader.line("\(path)/bInterfaceClass").flatMap { Int($0, radix: 16) }))
      }
    }
    return interfaces
  }

  /// The names of the interfaces of a device, such as `1-4:1.0`.
  static func names(of device: DeviceFacts, _ reader: inout HardwareReader) -> [String] {
    let names = (reader.names(in: device.sysfsPath) ?? []).filter {
      $0.hasPrefix(device.kernelName + ":")
    }
    return Array(names.prefix(mostInterfaces))
  }
}
