internal import AccessModel

/// Finds USB hardware of a kind that has no node.
///
/// It may lack a driver, authorization or a configuration, or have another driver.
struct USBObserver {
  var roots: MachineRoots
  /// The kind of the hardware.
  var kind = DeviceKind.camera

  func observe(_ facts: inout HardwareFacts, _ reader: inout HardwareReader) {
    facts.authorizedDefault =
      reader.line("\(roots.sysfs)/module/usbcore/parameters/authorized_default").flatMap { Int($0) }
    let wanted = WantedInterface.all(of: kind)
    let directory = "\(roots.sysfs)/bus/usb/devices"
    let names = reader.names(in: directory) ?? []
    let interfaces = Dictionary(
      grouping: names.filter { $0.contains(":") }, by: { String($0.prefix { $0 != ":" }) })
    let needsIdentifiers = wanted.contains { !$0.identifiers.isEmpty }
    for name in names where !name.contains(":") {
      let path = "\(directory)/\(name)"
      let identifiers = needsIdentifiers ? self.identifiers(of: path, &reader) : nil
      if let obstacle = obstacle(of: path, wanted, identifiers, &reader) {
        facts.usb.append(obstacle)
        continue
      }
      var own: [(module: WantedInterface, names: [String])] = []
      for interface in interfaces[name] ?? [] {
        guard let number = hexadecimal("\(directory)/\(interface)/bInterfaceClass", &reader),
          wanted.contains(where: { $0.interfaceClass == number })
        else { continue }
        let subclass = hexadecimal("\(directory)/\(interface)/bInterfaceSubClass", &reader)
        guard
          let match = wanted.first(where: {
            $0.matches(class: number, subclass: subclass, of: identifiers)
          })
        else { continue }
        if let index = own.firstIndex(where: { $0.module.module == match.module }) {
          own[index].names.append(interface)
        } else {
          own.append((match, [interface]))
        }
      }
      for (wanted, names) in own {
        observe(names, wanted, of: path, in: directory, &facts, &reader)
      }
    }
  }

  /// Returns the reason why a whole device has no interfaces, if any of them would be of the kind.
  private func obstacle(
    of path: String, _ wanted: [WantedInterface], _ identifiers: String?,
    _ reader: inout HardwareReader
  ) -> HardwareFacts.USBObstacle? {
    let isAuthorized = reader.line("\(path)/authorized") != "0"
    // Every device has this attribute, which is empty without a configuration.
    let chosen = reader.line("\(path)/bConfigurationValue")
    let isConfigured = chosen == nil || !(chosen == "" || chosen == "0")
    guard !isAuthorized || !isConfigured,
      let descriptors = reader.bytes("\(path)/descriptors", limit: 1 << 16),
      let configuration = Self.configuration(
        in: descriptors,
        with: { number, subclass in
          wanted.contains { $0.matches(class: number, subclass: subclass, of: identifiers) }
        })
    else { return nil }
    guard isAuthorized else {
      return closed(path, configuration: configuration, &reader)
    }
    return HardwareFacts.USBObstacle(
      sysfsPath: path, name: reader.line("\(path)/product"), reason: .notConfigured,
      configuration: configuration)
  }

  /// Adds interfaces of a device that are not authorized, have no driver, or have another driver.
  private func observe(
    _ interfaces: [String], _ wanted: WantedInterface, of device: String, in directory: String,
    _ facts: inout HardwareFacts, _ reader: inout HardwareReader
  ) {
    let closed = interfaces.filter { reader.line("\(directory)/\($0)/authorized") == "0" }
    if !closed.isEmpty {
      facts.usb.append(
        HardwareFacts.USBObstacle(
          sysfsPath: device, name: reader.line("\(device)/product"),
          reason: .interfaceNotAuthorized,
          interfaces: closed))
      return
    }
    var drivers: [(interface: String, name: String)] = []
    for interface in interfaces {
      guard let driver = reader.linkName(at: "\(directory)/\(interface)/driver") else { return }
      if driver == wanted.driver { return }
      if !driver.isEmpty { drivers.append((interface, driver)) }
    }
    if let other = drivers.first {
      facts.held.append(
        HardwareFacts.Held(
          sysfsPath: "\(directory)/\(other.interface)", name: reader.line("\(device)/product"),
          driver: other.name, module: wanted.module,
          identifiers: identifiers(of: device, &reader), node: node(of: device, &reader)))
      return
    }
    // The driver binds to the control interface, which is the first one, and then claims the
    // others.
    guard let first = interfaces.first else { return }
    facts.unbound.append(
      HardwareFacts.Unbound(
        sysfsPath: "\(directory)/\(first)", name: reader.line("\(device)/product"),
        module: wanted.module, identifiers: identifiers(of: device, &reader)))
  }

  // MARK: - Raw devices

  /// Returns what prevents programs from using devices with a raw node.
  func observe(
    _ devices: [DeviceFacts], _ reader: inout HardwareReader
  ) -> [HardwareFacts.USBObstacle] {
    devices.prefix(USBInterfaceObserver.mostDevices).compactMap { device in
      let path = device.sysfsPath
      if reader.line("\(path)/authorized") == "0" { return closed(path, &reader) }
      let interfaces = USBInterfaceObserver.names(of: device, &reader).filter {
        reader.line("\(path)/\($0)/authorized") == "0"
      }
      guard !interfaces.isEmpty else { return nil }
      return HardwareFacts.USBObstacle(
        sysfsPath: path, reason: .interfaceNotAuthorized, interfaces: interfaces)
    }
  }

  /// Describes a device that is not authorized, whose name older kernels hide.
  private func closed(
    _ path: String, configuration: Int? = nil, _ reader: inout HardwareReader
  ) -> HardwareFacts.USBObstacle {
    let bus = path.split(separator: "/").last?.prefix { $0 != "-" } ?? ""
    let hub = "\(roots.sysfs)/bus/usb/devices/usb\(bus)/authorized_default"
    return HardwareFacts.USBObstacle(
      sysfsPath: path, name: reported("\(path)/product", &reader), reason: .deviceNotAuthorized,
      configuration: configuration, identifiers: identifiers(of: path, &reader),
      hubDefault: reader.line(hub).flatMap { Int($0) },
      hasSerial: reported("\(path)/serial", &reader) != nil)
  }

  // MARK: - Attributes

  /// Returns a text of the device; `nil` if it has none or an older kernel hides it.
  private func reported(_ path: String, _ reader: inout HardwareReader) -> String? {
    reader.line(path).flatMap { $0.isEmpty || $0.hasPrefix("n/a (") ? nil : $0 }
  }

  private func hexadecimal(_ path: String, _ reader: inout HardwareReader) -> Int? {
    reader.line(path).flatMap { Int($0, radix: 16) }
  }

  /// Returns the vendor and product IDs, such as `1a86:7523`.
  private func identifiers(of device: String, _ reader: inout HardwareReader) -> String? {
    let numbers = ["idVendor", "idProduct"].compactMap { reader.line("\(device)/\($0)") }
    guard numbers.count == 2,
      numbers.allSatisfy({ $0.utf8.count == 4 && Int($0, radix: 16) != nil })
    else { return nil }
    return numbers.joined(separator: ":")
  }

  /// Returns the raw node, which the kernel names after the bus and device numbers.
  private func node(of device: String, _ reader: inout HardwareReader) -> String? {
    let numbers = ["busnum", "devnum"].compactMap { name in
      reader.line("\(device)/\(name)").flatMap { UInt16($0) }
    }
    guard numbers.count == 2 else { return nil }
    let names = numbers.map { String(repeating: "0", count: max(0, 3 - "\($0)".count)) + "\($0)" }
    return "/dev/bus/usb/" + names.joined(separator: "/")
  }

  /// Returns the value of the first configuration with a matching interface.
  ///
  /// The descriptors of a device are in the attribute `descriptors` in sysfs (USB 2.0, chapter
  /// 9.6).
  ///
  /// - Parameters:
  ///   - descriptors: The bytes, which may be truncated anywhere.
  ///   - isWanted: Returns whether an interface with the given class and subclass matches.
  /// - Returns: The value; `nil` if no interface matches or the bytes are malformed.
  static func configuration(
    in descriptors: [UInt8], with isWanted: (_ class: Int, _ subclass: Int?) -> Bool
  ) -> Int? {
    var start = 0
    var configuration: Int?
    // A descriptor starts with its length and its type. Type 2 is a configuration, type 4 an
    // interface.
    while start + 2 <= descriptors.count {
      let length = Int(descriptors[start])
      guard length >= 2, start + length <= descriptors.count else { return nil }
      if descriptors[start + 1] == 2, length >= 6 {
        configuration = Int(descriptors[start + 5])
      } else if descriptors[start + 1] == 4, length >= 6,
        isWanted(
          Int(descriptors[start + 5]), length >= 7 ? Int(descriptors[start + 6]) : nil)
      {
        return configuration
      }
      start += length
    }
    return nil
  }
}

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

/// A description of USB interfaces whose driver creates nodes of a kind.
struct WantedInterface {
  /// The class of the interface (`bInterfaceClass`; USB 2.0, table 9-12).
  var interfaceClass: Int
  /// The subclass (`bInterfaceSubClass`); `nil` for any.
  var subclass: Int?
  /// The vendor and product IDs of devices with a vendor-specific class; empty for any.
  var identifiers: Set<String> = []
  /// The module whose driver creates the node.
  var module: String

  /// Returns the interfaces of a kind; empty if interfaces do not identify the kind.
  static func all(of kind: DeviceKind) -> [WantedInterface] {
    switch kind {
    case .camera: [WantedInterface(interfaceClass: 0x0E, module: "uvcvideo")]
    case .microphone: [WantedInterface(interfaceClass: 0x01, module: "snd_usb_audio")]
    case .serial: serial
    default: []
    }
  }

  /// The communication class of modems, and the chips in most adapters.
  ///
  /// The IDs come from the tables in drivers/usb/serial.
  private static let serial = [
    WantedInterface(interfaceClass: 0x02, subclass: 0x02, module: "cdc_acm"),
    WantedInterface(
      interfaceClass: 0xFF, identifiers: ["1a86:5523", "1a86:7522", "1a86:7523"], module: "ch341"),
    WantedInterface(
      interfaceClass: 0xFF, identifiers: ["10c4:ea60", "10c4:ea70", "10c4:ea71"], module: "cp210x"),
    WantedInterface(
      interfaceClass: 0xFF,
      identifiers: ["0403:6001", "0403:6010", "0403:6011", "0403:6014", "0403:6015"],
      module: "ftdi_sio"),
    WantedInterface(interfaceClass: 0xFF, identifiers: ["067b:2303"], module: "pl2303"),
  ]

  /// Returns whether an interface matches this description.
  func matches(class interfaceClass: Int, subclass: Int?, of identifiers: String?) -> Bool {
    guard interfaceClass == self.interfaceClass else { return false }
    if let wanted = self.subclass, wanted != subclass { return false }
    guard !self.identifiers.isEmpty else { return true }
    return identifiers.map(self.identifiers.contains) ?? false
  }

  /// The name of the module's driver in sysfs.
  var driver: String { HardwareFacts.driver(ofModule: module) }
}
