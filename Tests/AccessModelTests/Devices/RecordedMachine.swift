import AccessModel
import Testing

/// The video nodes of a real machine, as described by its udev database.
struct RecordedMachine: CustomTestStringConvertible, Sendable {
  var name: String
  var devices: [DeviceFacts]
  /// The expected roles by kernel name.
  var roles: [String: DeviceRole]
  /// The nodes that a user could use as a camera, best first.
  var cameras: [String]

  var testDescription: String { name }

  /// Returns one node with the facts that the classification uses.
  static func node(
    _ name: String, _ capabilities: String?, driver: String?, index: Int? = nil,
    bus: String? = nil, product: String? = nil, parent: String = "pci0000:00/0000:00:14.0",
    tags: [String] = ["seat", "uaccess"], currentTags: [String]? = nil
  ) -> DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/\(name)", sysfsPath: "/sys/devices/\(parent)/video4linux/\(name)",
      subsystem: "video4linux", kernelName: name)
    device.driver = driver
    device.index = index
    device.bus = bus
    device.tags = tags
    device.currentTags = currentTags
    device.properties["ID_V4L_CAPABILITIES"] = capabilities
    device.properties["ID_V4L_PRODUCT"] = product
    device.classify()
    return device
  }

  /// Returns a webcam with one node.
  private static func single(_ name: String, tags: [String]) -> RecordedMachine {
    RecordedMachine(
      name: name,
      devices: [
        node("video0", ":capture:", driver: "uvcvideo", index: 0, bus: "usb", tags: tags)
      ],
      roles: ["video0": .capture], cameras: ["/dev/video0"])
  }

  /// A laptop with an old systemd that labeled metadata siblings as captures: a color and an
  /// infrared camera, each with its sibling.
  static let siblingsCalledCapture = RecordedMachine(
    name: "capture and metadata",
    devices: (0..<4).map { number in
      node("video\(number)", ":capture:", driver: "uvcvideo", index: number % 2, bus: "usb")
    },
    roles: ["video0": .capture, "video1": .metadata, "video2": .capture, "video3": .metadata],
    cameras: ["/dev/video0", "/dev/video2"])

  /// The same arrangement on a newer systemd, with product names.
  static let infrared = RecordedMachine(
    name: "HP EliteBook 835",
    devices: (0..<4).map { number in
      node(
        "video\(number)", number % 2 == 0 ? ":capture:" : ":", driver: "uvcvideo",
        index: number % 2, bus: "usb",
        product: number < 2 ? "HP 5MP Camera: HP 5MP Camera" : "HP 5MP Camera: HP IR Camera",
        tags: ["seat", "snap_firefox_firefox", "uaccess"],
        currentTags: ["seat", "snap_firefox_firefox", "uaccess"])
    },
    roles: ["video0": .capture, "video1": .metadata, "video2": .capture, "video3": .metadata],
    cameras: ["/dev/video0", "/dev/video2"])

  /// 32 raw nodes that all have the capture capability and keep a sticky tag, five subdevices, and
  /// a virtual camera without a feeder.
  static let imageProcessor: RecordedMachine = {
    let parent = "pci0000:00/0000:00:05.0/intel_ipu7.isys.40"
    var devices = (1...32).map { number in
      node(
        "video\(number)", ":capture:", driver: "intel_ipu7_isys.isys", product: "ipu7",
        parent: parent, tags: ["seat", "uaccess"], currentTags: ["seat"])
    }
    devices += (0..<4).map { number in
      node("v4l-subdev\(number)", nil, driver: "intel_ipu7_isys.isys", parent: parent)
    }
    devices.append(node("v4l-subdev4", nil, driver: "ov05c10", bus: "usb"))
    devices.append(
      node(
        "video0", ":video_output:", driver: nil, product: "Intel MIPI Camera", parent: "virtual"))
    var roles = Dictionary(
      uniqueKeysWithValues: (1...32).map { ("video\($0)", DeviceRole.pipeline) })
    for number in 0...4 { roles["v4l-subdev\(number)"] = .subdevice }
    roles["video0"] = .output
    return RecordedMachine(name: "Intel IPU7", devices: devices, roles: roles, cameras: [])
  }()

  /// Codecs and an image processor, with no camera attached.
  static let raspberry: RecordedMachine = {
    let mailbox = "platform/soc/3f00b840.mailbox"
    let codecs = (10...12).map { number in
      node(
        "video\(number)", ":", driver: "bcm2835-codec", index: 0,
        parent: mailbox + "/bcm2835-codec")
    }
    let words = [":video_output:", ":capture:", ":capture:", ":"]
    let processor = (13...16).map { number in
      node(
        "video\(number)", words[number - 13], driver: "bcm2835-isp", index: number - 13,
        product: "bcm2835-isp", parent: mailbox + "/bcm2835-isp")
    }
    var roles: [String: DeviceRole] = [:]
    for number in 10...12 { roles["video\(number)"] = .memoryToMemory }
    for number in 13...16 { roles["video\(number)"] = .pipeline }
    return RecordedMachine(
      name: "Raspberry Pi 3B", devices: codecs + processor, roles: roles, cameras: [])
  }()

  /// A virtual camera with a feeder, and a real camera.
  static let loopback = RecordedMachine(
    name: "loopback beside a webcam",
    devices: [
      node("video0", ":capture:", driver: nil, product: "OBS", parent: "virtual"),
      node("video1", ":capture:", driver: "uvcvideo", index: 0, bus: "usb"),
    ],
    roles: ["video0": .capture, "video1": .capture], cameras: ["/dev/video1", "/dev/video0"])

  static let all = [
    siblingsCalledCapture, infrared, imageProcessor, raspberry, loopback,
    single("Dell Inspiron 3521", tags: ["seat", "uaccess", "udev-acl"]),
    single("Dell Inspiron 3048", tags: ["udev-acl"]),
    single("Dell Latitude E6430", tags: ["udev-acl"]),
    single("Lenovo E431", tags: ["udev-acl"]),
    single("a webcam on a hub", tags: ["seat", "uaccess"]),
    RecordedMachine(name: "no camera", devices: [], roles: [:], cameras: []),
  ]
}
