import AccessModel
import Testing

@Suite struct `What opening a device does by itself` {
  private static func effect(
    _ path: String, _ subsystem: String?,
    _ number: DeviceNumber = DeviceNumber(major: 250, minor: 0),
    _ type: FileType = .characterDevice
  ) -> OpeningEffect? {
    var facts = Fixtures.camera.facts
    var node = Node(path: path, type: type, mode: 0o600, uid: 0, gid: 0)
    node.rdev = number
    facts.devices =
      subsystem.map { subsystem in
        let name = String(path.split(separator: "/").last ?? "")
        var device = DeviceFacts(
          node: path, sysfsPath: "/sys/devices/x/\(name)", subsystem: subsystem, kernelName: name)
        device.number = number
        return [device]
      } ?? []
    return facts.openingEffect(of: node)
  }

  @Test(arguments: [
    ("/dev/watchdog", "misc"), ("/dev/watchdog0", "watchdog"), ("/dev/st0", "scsi_tape"),
    ("/dev/st1m", "scsi_tape"), ("/dev/nst0", "scsi_tape"), ("/dev/snapshot", "misc"),
    ("/dev/tpm0", "tpm"), ("/dev/dlm-monitor", "misc"), ("/dev/rfcomm0", "tty"),
  ])
  func `is forced only`(path: String, subsystem: String) {
    #expect(Self.effect(path, subsystem)?.needsForce == true)
    // sysfs may be hidden, so the name may belong to another device.
    #expect(Self.effect(path, nil)?.needsForce == true)
  }

  @Test(arguments: [
    DeviceNumber(major: 10, minor: 130), DeviceNumber(major: 9, minor: 0),
    DeviceNumber(major: 9, minor: 128), DeviceNumber(major: 10, minor: 231),
    DeviceNumber(major: 10, minor: 224),
  ])
  func `is known by the number where the name says nothing`(number: DeviceNumber) {
    #expect(Self.effect("/srv/x", nil, number)?.needsForce == true)
  }

  @Test func `tells a tape that is rewound from one that is not`() {
    #expect(Self.effect("/dev/st0", "scsi_tape")?.words.contains("rewinds") == true)
    #expect(Self.effect("/dev/nst0", "scsi_tape")?.words.contains("rewinds") == false)
  }

  @Test(arguments: [
    ("/dev/ttyUSB0", "tty"), ("/dev/ttyACM1", "tty"), ("/dev/ttyS0", "tty"),
    ("/dev/ttymxc0", "tty"), ("/dev/dri/card0", "drm"),
  ])
  func `is told where it is harmless`(path: String, subsystem: String) {
    #expect(Self.effect(path, subsystem)?.needsForce == false)
  }

  @Test func `is told of the drive of a floppy disk`() {
    let number = DeviceNumber(major: 2, minor: 0)
    #expect(Self.effect("/dev/fd0", "block", number, .blockDevice)?.needsForce == false)
  }

  @Test(arguments: [
    ("/dev/null", "mem"), ("/dev/tty1", "tty"), ("/dev/ttyprintk", "tty"), ("/dev/tty", "tty"),
    ("/dev/tpmrm0", "tpmrm"), ("/dev/dri/renderD128", "drm"), ("/dev/video0", "video4linux"),
    ("/dev/kvm", "misc"), ("/dev/stdin0", "misc"),
  ])
  func `is nothing that is known of others`(path: String, subsystem: String) {
    #expect(Self.effect(path, subsystem) == nil)
  }

  @Test func `belongs to the number and not to the name`() {
    // A block device can have the same number as a watchdog.
    #expect(
      Self.effect("/dev/x", nil, DeviceNumber(major: 10, minor: 130), .blockDevice) == nil)
  }
}
