internal import AccessModel

/// Finds USB cameras that have no node: without a driver, authorization or configuration.
struct USBObserver {
  var roots: MachineRoots

  /// The class of USB video interfaces (`USB_CLASS_VIDEO`), as sysfs writes it.
  private static let videoClass = "0e"

  func observe(_ facts: inout HardwareFacts, _ reader: inout HardwareReader) {
    facts.authorizedDefault =
      reader.line("\(roots.sysfs)/module/usbcore/parameters/authorized_default").flatMap { Int($0) }
    let directory = "\(roots.sysfs)/bus/usb/devices"
    let names = reader.names(in: directory) ?? []
    let interfaces = Dictionary(
      grouping: names.filter { $0.contains(":") }, by: { String($0.prefix { $0 != ":" }) })
    for name in names where !name.contains(":") {
      let path = "\(directory)/\(name)"
      if let obstacle = obstacle(of: path, &reader) {
        facts.usb.append(obstacle)
        continue
      }
      let video = (interfaces[name] ?? []).filter {
        reader.line("\(directory)/\($0)/bInterfaceClass") == Self.videoClass
      }
      observe(video, of: path, in: directory, &facts, &reader)
    }
  }

  /// What keeps a whole device from having interfaces, for one that has video interfaces.
  private func obstacle(
    of path: String, _ reader: inout HardwareReader
  ) -> HardwareFacts.USBObstacle? {
    let isAuthorized = reader.line("\(path)/authorized") != "0"
    // The attribute exists on every device, and is empty without a configuration.
    let chosen = reader.line("\(path)/bConfigurationValue")
    let isConfigured = chosen == nil || !(chosen == "" || chosen == "0")
    guard !isAuthorized || !isConfigured,
      let descriptors = reader.bytes("\(path)/descriptors", limit: 1 << 16),
      let configuration = Self.videoConfiguration(in: descriptors)
    else { return nil }
    return HardwareFacts.USBObstacle(
      sysfsPath: path, name: isAuthorized ? reader.line("\(path)/product") : nil,
      reason: isAuthorized ? .notConfigured : .deviceNotAuthorized, configuration: configuration)
  }

  /// The video interfaces of a device that has them: not authorized, or without a driver.
  private func observe(
    _ interfaces: [String], of device: String, in directory: String,
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
    // The driver takes the control interface, which is the first, and with it the others.
    guard let first = interfaces.first,
      interfaces.allSatisfy({ reader.hasNoLink(at: "\(directory)/\($0)/driver") })
    else { return }
    facts.unbound.append(
      HardwareFacts.Unbound(
        sysfsPath: "\(directory)/\(first)", name: reader.line("\(device)/product"),
        module: "uvcvideo"))
  }

  /// The value of the first configuration that has a video interface, from the descriptors of a
  /// device (`descriptors` in sysfs; USB 2.0, chapter 9.6).
  static func videoConfiguration(in descriptors: [UInt8]) -> Int? {
    var start = 0
    var configuration: Int?
    // Each begins with its length and its type: 2 is a configuration, 4 an interface.
    while start + 2 <= descriptors.count {
      let length = Int(descriptors[start])
      guard length >= 2, start + length <= descriptors.count else { return nil }
      if descriptors[start + 1] == 2, length >= 6 {
        configuration = Int(descriptors[start + 5])
      } else if descriptors[start + 1] == 4, length >= 6, descriptors[start + 5] == 0x0E {
        return configuration
      }
      start += length
    }
    return nil
  }
}
