internal import AccessModel

/// Finds the interfaces of USB devices, and the driver of each.
struct USBInterfaceObserver {
  /// The maximum number of interfaces in a configuration (`USB_MAXINTERFACES`).
  private static let mostInterfaces = 32
  /// The maximum number of devices to inspect, each bus having at most 127.
  static let mostDevices = 512

  /// Returns the interfaces of the devices with a raw node, in the order of their names.
  ///
  /// If the driver of an interface is not visible, the interface is left out and its path is
  /// recorded.
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

  /// Returns the names of a device's interfaces, such as `1-4:1.0`.
  static func names(of device: DeviceFacts, _ reader: inout HardwareReader) -> [String] {
    let names = (reader.names(in: device.sysfsPath) ?? []).filter {
      $0.hasPrefix(device.kernelName + ":")
    }
    return Array(names.prefix(mostInterfaces))
  }
}
