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
      // Nothing tells that it is a virtual camera.
      Self.camera(4, words: ":video_output:"),
    ]
    #expect(
      DeviceKind.camera.usedDevices(in: devices).map(\.node) == ["/dev/video0", "/dev/video2"])
    #expect(DeviceKind.microphone.usedDevices(in: devices).isEmpty)
  }

  @Test func `are all nodes where none is a camera`() {
    let devices = [
      Self.camera(1, words: ":"),
      Self.camera(2, words: ":video_output:", below: "/devices/virtual", fed: false),
    ]
    #expect(
      DeviceKind.camera.usedDevices(in: devices).map(\.node) == ["/dev/video1", "/dev/video2"])
  }
}
