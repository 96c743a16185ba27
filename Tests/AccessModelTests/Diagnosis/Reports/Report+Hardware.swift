import AccessModel

extension Report {
  /// Reports about hardware, modules, the portal and devices in use.
  static let hardware: [Report] = [
    Report(
      "balena-io-experimental/balena-rpi-python-picamera#5", .moduleLoadRefused,
      Self.refusedModule("bcm2835_v4l2", container: "docker")),
    Report(
      "v4l2loopback/v4l2loopback#303", .moduleLoadRefused, Self.refusedModule("v4l2loopback")),
    Report(
      "v4l2loopback/v4l2loopback#306", .moduleLoadRefused, Self.refusedModule("v4l2loopback")),
    Report("homebridge-plugins/homebridge-camera-ffmpeg#1401", .busy, Self.used),
    Report("soyersoyer/cameractrls#96", .busy, Self.used),
    Report("awslabs/amazon-kinesis-video-streams-producer-sdk-cpp#463", .busy, Self.used),
    Report("gosku/Filmcase#22", .busy) {
      $0.askDevice("/dev/bus/usb/001/004", subsystem: "usb", mode: 0o664, gid: Fixtures.video)
      $0.join(Fixtures.video)
      $0.try(.stream, 16)
    },
    Report("yarda/printrun-webmon#7", .selinux) {
      $0.join(Fixtures.video)
      $0.check([.read, .write], 0)
      $0.facts.confinement.securityModules = ["capability", "selinux"]
      $0.facts.confinement.label = "system_u:system_r:httpd_t:s0"
      $0.try(.stream, 13)
    },
  ]

  /// Removes the devices, and adds the module that the kernel refused to load.
  private static func refusedModule(
    _ name: String, container: String? = nil
  ) -> (inout Fixtures) -> Void {
    { fixture in
      if let container { fixture.contain(container) }
      fixture.removeDevices()
      var hardware = HardwareFacts()
      hardware.modules = [
        HardwareFacts.Module(name: name, isLoaded: false, isInstalled: true, loadErrno: 1)
      ]
      fixture.facts.hardware = hardware
    }
  }

  /// Makes the camera accessible, while another program streams from it.
  private static func used(_ fixture: inout Fixtures) {
    fixture.join(Fixtures.video)
    fixture.check([.read, .write], 0)
    fixture.try(.stream, 16)
  }
}
