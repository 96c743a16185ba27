import AccessModel
import Foundation
import Testing

struct RoleTests {
  @Test(arguments: RecordedMachine.all)
  func `every node of a recorded machine has its role`(_ machine: RecordedMachine) {
    let roles = Dictionary(uniqueKeysWithValues: machine.devices.map { ($0.kernelName, $0.role) })
    #expect(roles == machine.roles)
  }

  @Test(arguments: RecordedMachine.all)
  func `the cameras of a recorded machine come best first`(_ machine: RecordedMachine) {
    let cameras = DeviceKind.camera.candidates(in: machine.devices.reversed()).compactMap(\.node)
    #expect(cameras == machine.cameras)
  }

  @Test
  func `other nodes are told apart from no node`() {
    let camera = DeviceKind.camera
    #expect(camera.others(in: RecordedMachine.raspberry.devices).count == 7)
    #expect(camera.others(in: []).isEmpty)
    #expect(
      camera.others(in: RecordedMachine.infrared.devices).map(\.kernelName) == [
        "video1", "video3",
      ])
  }

  /// The `device_caps` that drivers report, the driver, and the expected role.
  static let driverWords: [(UInt32, String?, DeviceRole, Confidence)] = [
    (0x0420_0001, "uvcvideo", .capture, .certain),
    (0x04A0_0000, "uvcvideo", .metadata, .certain),
    (0x2420_0001, "isys", .pipeline, .certain),
    (0x0520_0005, "bm2835 mmal", .capture, .certain),
    (0x0500_0001, "kinect", .capture, .certain),
    (0x0420_1000, "rcar-vin", .capture, .certain),
    (0x0420_4000, "hantro-vpu", .memoryToMemory, .certain),
    (0x0420_8000, "vim2m", .memoryToMemory, .certain),
    (0x0420_3000, "old-codec", .memoryToMemory, .certain),
    (0x0520_0003, "v4l2 loopback", .capture, .certain),
    (0x0520_0002, "v4l2 loopback", .output, .certain),
    (0x0520_0002, "vivid", .output, .certain),
    (0x0520_2000, "vivid", .output, .certain),
    (0x0520_0050, "vivid", .vbi, .certain),
    (0x0425_0040, "vivid", .vbi, .certain),
    (0x0108_0900, "vivid", .radio, .certain),
    (0x0105_0000, "si470x", .radio, .certain),
    (0x0531_0000, "airspy", .softwareRadio, .certain),
    (0x1420_0001, "rmi4_f54", .touch, .certain),
    (0x0C20_0000, "vivid", .metadata, .certain),
    (0x0420_0001, "bcm2835-isp", .pipeline, .likely),
    (0, "strange", .other, .certain),
  ]

  /// udev queries the capabilities once, before or while the camera is fed.
  @Test(
    arguments: [
      (":video_output:", true, .capture, .likely), (":video_output:", false, .output, .likely),
      (":video_output:", nil, .output, .guess), (":capture:", true, .capture, .likely),
      (":capture:video_output:", false, .capture, .guess),
      // udev queried it while it was fed, or has not queried it yet.
      (":capture:", false, .output, .likely), (nil, false, .output, .guess),
      (nil, true, .capture, .likely), (nil, nil, .capture, .guess),
    ] as [(String?, Bool?, DeviceRole, Confidence)])
  func `a virtual camera is one while it is fed`(
    words: String?, isFed: Bool?, role: DeviceRole, confidence: Confidence
  ) throws {
    var device = DeviceFacts(
      node: "/dev/video9", sysfsPath: "/sys/devices/virtual/video4linux/video9",
      subsystem: "video4linux", kernelName: "video9")
    device.properties["ID_V4L_CAPABILITIES"] = words
    device.isFed = isFed
    device.classify()
    #expect(device.role == role && device.roleConfidence == confidence)
    // A snapshot preserves the result.
    let copy = try JSONDecoder().decode(DeviceFacts.self, from: JSONEncoder().encode(device))
    #expect(copy == device)
    // With the control set, the device is a camera.
    device.isKept = true
    device.mostOpenFiles = 10
    device.classify()
    #expect(device.role == .capture)
    let kept = try JSONDecoder().decode(DeviceFacts.self, from: JSONEncoder().encode(device))
    #expect(kept == device)
  }

  @Test(arguments: driverWords)
  func `the driver's own word decides`(
    bits: UInt32, driver: String?, role: DeviceRole, confidence: Confidence
  ) {
    var device = RecordedMachine.node("video0", ":capture:", driver: driver, index: 0)
    device.driverCapabilities = bits
    device.classify()
    #expect(device.role == role)
    #expect(device.roleConfidence == confidence)
  }

  @Test(
    arguments: [
      ("vbi0", DeviceRole.vbi), ("radio0", .radio), ("swradio0", .softwareRadio),
      ("v4l-touch0", .touch), ("v4l-subdev3", .subdevice),
    ])
  func `the kernel's name tells the type of a node`(name: String, role: DeviceRole) {
    let device = RecordedMachine.node(name, ":capture:", driver: "vivid")
    #expect(device.role == role)
    #expect(device.roleConfidence == .likely)
  }

  /// The property, index, driver and bus, if the driver was not queried.
  static let hints: [(String?, Int?, String?, String?, DeviceRole, Confidence)] = [
    (":capture:", 0, "uvcvideo", "usb", .capture, .likely),
    (":capture:", 1, "uvcvideo", "usb", .metadata, .likely),
    (":capture:", 2, "uvcvideo", "usb", .capture, .guess),
    (":", 1, "uvcvideo", "usb", .metadata, .likely),
    (":", 0, "uvcvideo", "usb", .metadata, .likely),
    (":video_output:", 0, "uvcvideo", "usb", .output, .likely),
    (nil, 0, "uvcvideo", "usb", .capture, .guess),
    (nil, 1, "uvcvideo", "usb", .metadata, .guess),
    (":capture:", 0, "em28xx", "usb", .capture, .likely),
    (":capture:", 1, "em28xx", "usb", .capture, .guess),
    (":video_output:", 1, "vivid", "platform", .output, .likely),
    (":capture:video_output:", 0, "strange", "platform", .memoryToMemory, .guess),
    (":", 0, "strange", "platform", .memoryToMemory, .guess),
    (":", 2, "vivid", "platform", .metadata, .guess),
    (nil, nil, "strange", nil, .capture, .guess),
    (nil, 3, "strange", nil, .other, .guess),
  ]

  @Test(arguments: hints)
  func `without the driver's word several hints are weighed`(
    property: String?, index: Int?, driver: String?, bus: String?, role: DeviceRole,
    confidence: Confidence
  ) {
    let device = RecordedMachine.node(
      "video4", property, driver: driver, index: index, bus: bus)
    #expect(device.role == role)
    #expect(device.roleConfidence == confidence)
  }

  @Test(
    arguments: [
      ("sound", "pcmC0D0c", DeviceRole.microphone), ("sound", "pcmC0D0p", .speaker),
      ("sound", "controlC0", .other), ("drm", "renderD128", .render), ("drm", "card0", .other),
      ("tty", "ttyUSB0", .other),
    ])
  func `sound and graphics nodes have their roles`(
    subsystem: String, name: String, role: DeviceRole
  ) {
    var device = DeviceFacts(
      node: "/dev/\(name)", sysfsPath: "/sys/\(name)", subsystem: subsystem, kernelName: name)
    device.classify()
    #expect(device.role == role)
  }

  @Test
  func `candidates are ordered by number and not by letters, and need a node`() {
    var devices = [10, 2, 1].map { number in
      RecordedMachine.node(
        "video\(number)", ":capture:", driver: "uvcvideo", index: 0, bus: "usb")
    }
    devices[2].node = nil
    let nodes = DeviceKind.camera.candidates(in: devices).compactMap(\.node)
    #expect(nodes == ["/dev/video2", "/dev/video10"])
  }

  @Test
  func `a plugged serial adapter comes before built-in ports`() {
    let devices = ["ttyS0", "ttyUSB0"].map { name in
      DeviceFacts(
        node: "/dev/\(name)", sysfsPath: "/sys/\(name)", subsystem: "tty", kernelName: name)
    }
    let nodes = DeviceKind.serial.candidates(in: devices).compactMap(\.node)
    #expect(nodes == ["/dev/ttyUSB0", "/dev/ttyS0"])
  }

  @Test
  func `the album has no devices`() {
    #expect(DeviceKind.album.candidates(in: RecordedMachine.infrared.devices).isEmpty)
  }
}
