public import AccessModel

extension MachineDescription {
  /// Adds a USB camera with its device node.
  ///
  /// As on a desktop, the node has mode 0660, the group `video` and the tag `uaccess`.
  ///
  /// - Parameters:
  ///   - number: The number of the node, such as 0 for `/dev/video0`.
  ///   - name: The card name.
  ///   - tags: The current udev tags.
  ///   - seat: The seat that the camera belongs to.
  ///   - metadataSibling: `true` to add the next node, which delivers the camera's metadata.
  public mutating func addCamera(
    _ number: Int = 0, name: String = "Integrated Camera", tags: [String] = ["seat", "uaccess"],
    seat: String = "seat0", metadataSibling: Bool = false
  ) {
    precondition(number >= 0, "there is no camera \(number)")
    addVideoNode(
      number, of: number, name: name, capabilities: ":capture:", tags: tags, seat: seat)
    if metadataSibling {
      addVideoNode(
        number + 1, of: number, name: name, capabilities: ":", tags: tags, seat: seat)
    }
  }

  /// Adds a sound card with a node that captures.
  ///
  /// As on a server, the node has mode 0660, the group `audio` and no tags. On a desktop, it has
  /// the tag `uaccess`, so it belongs to the active session like a camera:
  /// `addMicrophone(tags: ["uaccess"])`.
  ///
  /// - Parameters:
  ///   - card: The number of the card, such as 0 for `/dev/snd/pcmC0D0c`.
  ///   - name: The name of the card.
  ///   - tags: The current udev tags.
  ///   - seat: The seat that the card belongs to.
  public mutating func addMicrophone(
    _ card: Int = 0, name: String? = nil, tags: [String] = [], seat: String = "seat0"
  ) {
    precondition((0..<32).contains(card), "there is no sound card \(card)")
    let kernelName = "pcmC\(card)D0c"
    var device = DeviceFacts(
      node: "/dev/snd/\(kernelName)",
      sysfsPath: "/sys/devices/pci0000:00/0000:00:1f.3/sound/card\(card)/\(kernelName)",
      subsystem: "sound", kernelName: kernelName, seat: seat)
    device.number = DeviceNumber(major: 116, minor: UInt32(24 + 32 * card))
    device.isInitialized = true
    device.name = name
    device.tags = tags
    device.currentTags = tags
    addDevice(device, group: "audio")
  }

  /// Adds a device and, if it has a path and a number, its device node.
  ///
  /// The device replaces a device with the same path in sysfs.
  public mutating func addDevice(
    _ device: DeviceFacts, mode: UInt16 = 0o660, owner: String = "root", group: String = "root"
  ) {
    var device = device
    device.classify()
    devices.removeAll { $0.sysfsPath == device.sysfsPath }
    precondition(
      device.node == nil || !devices.contains { $0.node == device.node },
      "the described machine has another device at \(device.node ?? "")")
    devices.append(device)
    devices.sort { ($0.kernelName.count, $0.kernelName) < ($1.kernelName.count, $1.kernelName) }
    guard let path = device.node, let number = device.number else { return }
    add(.characterDevice, at: path, mode: mode, owner: owner, group: group)
    nodes[path]?.rdev = number
    for link in device.links { addLink(link, to: path) }
    grantUserAccess(to: device)
    giveAgain(on: device)
  }

  /// Adds a node for the device with the given number, as
  /// `docker run --device=/dev/video1:/dev/video0` does.
  ///
  /// The device keeps the node that udev knows until that node is removed.
  public mutating func addNode(
    _ path: String, of number: DeviceNumber, mode: UInt16 = 0o660, owner: String = "root",
    group: String = "video"
  ) {
    add(.characterDevice, at: path, mode: mode, owner: owner, group: group)
    nodes[path]?.rdev = number
  }

  /// Unplugs a device, which removes the device, its node and its links.
  ///
  /// - Parameter path: The path of its node.
  public mutating func removeDevice(_ path: String) {
    precondition(
      devices.contains { $0.node == path } || nodes[path]?.type.isDevice == true,
      "the described machine has no device at \(path)")
    for device in devices where device.node == path {
      for link in device.links { remove(link) }
    }
    devices.removeAll { $0.node == path }
    remove(path)
  }

  private mutating func addVideoNode(
    _ number: Int, of camera: Int, name: String, capabilities: String, tags: [String],
    seat: String
  ) {
    let parent = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-\(camera + 1)"
    var device = DeviceFacts(
      node: "/dev/video\(number)", sysfsPath: "\(parent)/video4linux/video\(number)",
      subsystem: "video4linux", kernelName: "video\(number)", seat: seat)
    device.name = name
    device.driver = "uvcvideo"
    device.bus = "usb"
    device.number = DeviceNumber(major: 81, minor: UInt32(clamping: number))
    device.index = number - camera
    device.properties = [
      "ID_V4L_CAPABILITIES": capabilities, "ID_V4L_PRODUCT": name, "ID_BUS": "usb",
    ]
    device.tags = tags
    device.currentTags = tags
    addDevice(device, group: "video")
  }
}
