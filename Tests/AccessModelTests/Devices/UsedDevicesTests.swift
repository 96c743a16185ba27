import AccessModel
import Testing

@Suite struct `The devices whose users are asked for` {
  private static func camera(
    _ number: Int, words: String, below folder: String = "/devices/pci0000:00/usb1",
    fed isFed: Bool? = nil
  ) -> DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/video\(number)", sysfsPath: "/sys\(folder)/video4linux/video\(number)",
      subsystem: "video4linux", kernelName: "video\(number)")
    if folder != "/devices/virtual" { device.driver = "uvcvideo" }
    device.index = number % 2
    device.properties["ID_V4L_CAPABILITIES"] = words
    device.isFed = isFed
    device.classify()
    return device
  }

  @Test(arguments: [true, false])
  func `are those of a virtual camera also while nobody feeds it`(isFed: Bool) {
    let devices = [
      Self.camera(0, words: ":capture:"), Self.camera(1, words: ":"),
      Self.camera(2, words: ":video_output:", below: "/devices/virtual", fed: isFed),
      // No fact shows that this is a virtual camera.
      Self.camera(4, words: ":video_output:"),
    ]
    #expect(
      DeviceKind.camera.usedDevices(in: devices).map(\.node) == ["/dev/video0", "/dev/video2"])
    #expect(DeviceKind.microphone.usedDevices(in: devices).isEmpty)
  }

  @Test func `are the raw nodes where none delivers pictures`() {
    var devices = [
      Self.camera(1, words: ":"),
      Self.camera(2, words: ":video_output:", below: "/devices/virtual", fed: false),
    ]
    #expect(DeviceKind.camera.usedDevices(in: devices).map(\.node) == ["/dev/video2"])
    for role in [DeviceRole.pipeline, .subdevice] {
      var raw = Self.camera(3, words: ":")
      raw.role = role
      #expect(
        DeviceKind.camera.usedDevices(in: devices + [raw]).map(\.node)
          == ["/dev/video3", "/dev/video2"])
    }
    devices.append(Self.camera(0, words: ":capture:"))
    #expect(
      DeviceKind.camera.usedDevices(in: devices).map(\.node) == ["/dev/video0", "/dev/video2"])
  }

  @Test(arguments: DeviceRole.allCases)
  func `are none that only share the subsystem`(role: DeviceRole) {
    var node = Self.camera(1, words: ":")
    node.role = role
    let isMeant = [.capture, .pipeline, .subdevice].contains(role)
    #expect(DeviceKind.camera.usedDevices(in: [node]).isEmpty != isMeant)
  }

  @Test func `of the microphone are no sequencer and no timer`() {
    let devices = ["seq", "timer", "controlC0", "pcmC0D0p"].map { name in
      var device = DeviceFacts(
        node: "/dev/snd/\(name)", sysfsPath: "/sys/devices/\(name)", subsystem: "sound",
        kernelName: name)
      device.classify()
      return device
    }
    #expect(DeviceKind.microphone.usedDevices(in: devices).isEmpty)
  }
}
