internal import AccessModel

/// Finds running services that affect the devices of other programs.
///
/// The control group of a service exists while it runs, so no D-Bus call is needed and nothing is
/// started.
struct ServiceObserver {
  var roots: MachineRoots

  /// Returns the names of the running services, sorted; empty if control groups are hidden.
  func running() -> [String] {
    var found: Set<String> = []
    for hierarchy in ControlGroupFolder.hierarchies(roots) {
      let slice = hierarchy.group("system.slice")
      for name in slice.names.prefix(HardwareReader.mostNames) {
        let group = slice.group(name)
        if Self.isMeant(name) {
          if group.hasProcesses { found.insert(name) }
        } else if name.hasPrefix("system-brltty"), name.hasSuffix(".slice") {
          for instance in group.names.prefix(HardwareReader.mostNames)
          where Self.isMeant(instance) && group.group(instance).hasProcesses {
            found.insert(instance)
          }
        }
      }
    }
    return found.sorted()
  }

  /// Returns the first process of a service.
  ///
  /// The result is `nil` if the service is not running or control groups are hidden.
  func process(of service: String) -> UInt64? {
    ControlGroupFolder.hierarchies(roots).lazy
      .compactMap { $0.group("system.slice/\(service)").processes.first }
      .first.map { UInt64($0) }
  }

  /// Returns whether a service claims, probes or authorizes devices.
  private static func isMeant(_ name: String) -> Bool {
    ["ModemManager.service", "ipp-usb.service", "usbguard.service"].contains(name)
      || name.hasPrefix("brltty") && name.hasSuffix(".service")
  }
}

/// Observes the facts that decide whether ModemManager opens serial ports.
struct PortObserver {
  var roots: MachineRoots

  private static let service = "ModemManager.service"
  private static let option = "--filter-policy="

  /// Returns the facts about serial ports; empty if ModemManager is not running.
  func ports(_ devices: [DeviceFacts], _ reader: inout HardwareReader) -> [HardwareFacts.Port] {
    let ports = devices.filter {
      $0.subsystem == DeviceKind.serial.subsystem && $0.properties["ID_MM_CANDIDATE"] != nil
    }
    guard !ports.isEmpty, let process = ServiceObserver(roots: roots).process(of: Self.service)
    else { return [] }
    let policy = policy(of: process)
    return ports.prefix(64).compactMap { device in
      guard let node = device.node else { return nil }
      // The path is `…/1-4/1-4:1.0/tty/ttyACM0`, or has one more level for a serial adapter.
      var interface = AbsolutePath.parent(of: device.sysfsPath)
      while !interface.isEmpty, interface != "/", !Self.isInterface(interface) {
        interface = AbsolutePath.parent(of: interface)
      }
      var port = HardwareFacts.Port(node: node, properties: device.properties, policy: policy)
      if Self.isInterface(interface) {
        let names = ["bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol"]
        let numbers = names.compactMap { name in
          reader.line("\(interface)/\(name)").flatMap { Int($0, radix: 16) }
        }
        if numbers.count == 3 { port.interface = numbers }
        port.vendor = device.hexadecimal("ID_VENDOR_ID")
        port.isAlone = isAlone(on: AbsolutePath.parent(of: interface), &reader)
        let above = try? DeviceEnumerator(roots: roots)
          .device(at: AbsolutePath.parent(of: interface), subsystem: DeviceKind.usb.subsystem ?? "")
        port.properties.merge(above?.properties ?? [:]) { own, _ in own }
      }
      port.properties = port.properties.filter { $0.key.hasPrefix("ID_MM_") }
      return port
    }
  }

  /// Returns whether a directory in sysfs is an interface of a USB device, such as `1-4:1.0`.
  private static func isInterface(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.contains(":") && name.contains("-") && name.first?.isNumber == true
  }

  /// Returns whether a USB device has only one of the ports that modems have.
  ///
  /// The result is `nil` if that cannot be determined.
  private func isAlone(on device: String, _ reader: inout HardwareReader) -> Bool? {
    guard let names = reader.names(in: device) else { return nil }
    let name = device.split(separator: "/").last ?? ""
    var count = 0
    for interface in names where interface.hasPrefix("\(name):") {
      let path = "\(device)/\(interface)"
      for folder in reader.names(in: path) ?? [] {
        // A driver for serial adapters creates a folder for each port.
        if folder.hasPrefix("ttyUSB") { count += 1 }
        guard ["tty", "net", "usbmisc", "wwan"].contains(folder) else { continue }
        count += reader.names(in: "\(path)/\(folder)")?.count ?? 0
      }
    }
    return count == 0 ? nil : count == 1
  }

  /// Returns the filter policy of a ModemManager process, which is `strict` unless an option
  /// changes it.
  ///
  /// The result is `nil` if the command line cannot be read.
  private func policy(of process: UInt64) -> String? {
    guard let file = try? BoundedFile.read("\(roots.proc)/\(process)/cmdline", limit: 1 << 14),
      !file.bytes.isEmpty
    else { return nil }
    let words = file.bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    guard let word = words.last(where: { $0.hasPrefix(Self.option) }) else { return "strict" }
    return String(word.dropFirst(Self.option.count).prefix(64))
  }
}

/// Finds the services that reserve a terminal for logins.
///
/// systemd starts agetty(8) for a serial port in `serial-getty@.service`. The control group of that
/// service exists while it runs, so no D-Bus call is needed.
struct TerminalObserver {
  var roots: MachineRoots

  /// The slices of login services, whose names systemd escapes.
  private static let slices = [
    (slice: "system-serial\\x2dgetty.slice", service: "serial-getty"),
    (slice: "system-getty.slice", service: "getty"),
  ]

  /// Returns the running services, by the nodes that they reserve.
  func keepers(of nodes: [String]) -> [String: String] {
    var keepers: [String: String] = [:]
    if nodes.isEmpty { return keepers }
    for hierarchy in ControlGroupFolder.hierarchies(roots) {
      for (slice, service) in Self.slices {
        let group = hierarchy.group("system.slice/\(slice)")
        let running = Set(group.names)
        for node in nodes where node.hasPrefix("/dev/") {
          let unit = "\(service)@\(Self.escaped(node.dropFirst(5))).service"
          if running.contains(unit), group.group(unit).hasProcesses { keepers[node] = unit }
        }
      }
    }
    return keepers
  }

  /// Returns the instance name for a path, escaped as by systemd-escape(1).
  private static func escaped(_ name: Substring) -> String {
    var text = ""
    for (index, byte) in name.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "/"): text += "-"
      case UInt8(ascii: "."):
        text += index == 0 ? "\\x2e" : "."
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: ":"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16)
        text += "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return text
  }
}
