import Testing

@testable import AccessModel

@Suite("What a snapshot could have root do")
struct HostileSnapshotTests {
  private static func commands(_ change: (inout HardwareFacts) -> Void) -> [String] {
    Fixtures.camera.with {
      $0.removeDevices()
      var hardware = HardwareFacts()
      change(&hardware)
      $0.facts.hardware = hardware
    }.explain().remedies.flatMap(\.commands)
  }

  /// Files that are not device attributes.
  static let files = [
    "/etc/shadow", "/sys/bus/usb/devices/../../../../etc/passwd", "/sys/bus//usb/devices/1-5",
    "/sys/bus/usb/./devices/1-5", "/sys/power/state", "/sysx/bus/usb", "sys/bus/usb/devices/1-5",
    "/proc/sys/kernel/core_pattern",
  ]

  @Test(arguments: files)
  func `a switch that is no attribute of a device is not written`(path: String) {
    for path in [path, path + "/authorized"] {
      #expect(Self.commands { $0.switchedOff = [.init(path: path, value: "0", on: "x")] } == [])
    }
    let real = "/sys/bus/platform/devices/VPC2004:00/camera_power"
    #expect(
      Self.commands { $0.switchedOff = [.init(path: real, value: "0", on: "1")] }
        == ["echo 1 > \(real)"])
    #expect(Self.commands { $0.switchedOff = [.init(path: real, value: "0", on: "-n")] } == [])
  }

  @Test(arguments: files)
  func `a USB device that is not in sysfs is not written`(path: String) {
    let reasons: [HardwareFacts.USBObstacle] = [
      .init(sysfsPath: path, reason: .deviceNotAuthorized),
      .init(sysfsPath: path, reason: .interfaceNotAuthorized, interfaces: ["1-5:1.0"]),
      .init(sysfsPath: path, reason: .notConfigured, configuration: 1),
    ]
    for obstacle in reasons {
      #expect(Self.commands { $0.usb = [obstacle] } == [], "\(obstacle.reason)")
    }
  }

  @Test
  func `neither interfaces nor configurations that USB has not are written`() {
    let device = "/sys/bus/usb/devices/1-5"
    for name in ["../../../../etc/passwd", "..", "-n", ""] {
      let obstacle = HardwareFacts.USBObstacle(
        sysfsPath: device, reason: .interfaceNotAuthorized, interfaces: ["1-5:1.0", name])
      #expect(Self.commands { $0.usb = [obstacle] } == [], "\(name)")
    }
    for number in [-5, 0, 256] {
      let obstacle = HardwareFacts.USBObstacle(
        sysfsPath: device, reason: .notConfigured, configuration: number)
      #expect(Self.commands { $0.usb = [obstacle] } == [], "\(number)")
    }
  }

  @Test(arguments: ["../../../../root/x", "-r", "a b", ""])
  func `a module of another name is neither loaded nor bound`(name: String) {
    for isLoaded in [false, true] {
      let explanation = Fixtures.camera.with {
        $0.lackDriver(HardwareFacts.Module(name: name, isLoaded: isLoaded, isInstalled: true))
        $0.facts.hardware?.unbound[0].module = name
      }.explain()
      #expect(explanation.remedies.flatMap(\.commands) == [])
    }
  }

  /// Names that systemd treats as patterns, options or paths, or rejects.
  static let units = [
    "*.service", "--root=/x.service", "../../../root/.config/x.service", "a b.service",
    "[ab].service",
    "@x.service", ".service", "cam.exe.servic", String(repeating: "a", count: 248) + ".service",
  ]

  @Test(arguments: units)
  func `a unit of another name is in no command`(unit: String) {
    #expect(!unit.isUnitName)
    for errno in [Errno.permissionDenied, .notPermitted] {
      let explanation = Fixtures.camera.with {
        $0.facts.confinement.unit = unit
        $0.check([.read, .write], errno)
      }.explain()
      let commands =
        explanation.remedies.flatMap(\.commands) + explanation.lookups.flatMap(\.commands)
      #expect(commands.allSatisfy { !$0.contains("systemctl") && !$0.contains("/etc/systemd") })
    }
  }

  @Test(arguments: [("../x.slice", false), ("x.slice", true)])
  func `a slice of another name is in no command`(slice: String, isNamed: Bool) {
    var service = ServiceFacts()
    service.policies = [
      ServiceFacts.Policy(
        unit: slice, list: DeviceCgroup(defaultBehavior: .deny, exceptions: []))
    ]
    let commands = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.confinement.unit = "motion.service"
      $0.facts.confinement.service = service
      $0.check([.read, .write], .notPermitted)
    }.explain().remedies.flatMap(\.commands)
    #expect(commands.contains { $0.contains("x.slice") } == isNamed)
  }

  @Test(arguments: ["--target-directory=/etc/cron.d/90-a.rules", "90-a.rules", ""])
  func `a file of rules without an absolute path is refused`(path: String) {
    #expect(throws: DecodingError.self) {
      try JSON.decode(RuleFile.self, #"{"path":"\#(path)","text":""}"#)
    }
  }

  @Test
  func `a session that looks like an option stands behind the options`() {
    let commands = Fixtures.camera.with { $0.session("--host=x") }
      .explain().remedies.flatMap(\.commands)
    #expect(commands.contains("loginctl activate -- --host=x"))
  }

  @Test(arguments: [
    "motion.service", "getty@tty1.service", "-.slice", #"a\x2db-c_d:e.f@g.service"#, "-h.service",
  ])
  func `a name that systemd takes is one`(unit: String) {
    #expect(unit.isUnitName)
  }

  @Test
  func `a unit that looks like an option stands behind the options`() {
    let commands = Fixtures.camera.with {
      $0.ask("/srv/file", .regular, mode: 0o666)
      $0.facts.access.mounts[0].readOnly = true
      $0.facts.confinement.unit = "-h.service"
      $0.facts.confinement.service = ServiceFacts()
      $0.facts.confinement.service?.protected = [ServiceFacts.Protection("/")]
    }.explain().remedies.flatMap(\.commands)
    #expect(commands.contains("systemctl restart -- -h.service"))
  }

  @Test
  func `a path in the unit of a container is quoted`() throws {
    let path = "/dev/a;touch$IFS/tmp/x"
    let commands = Fixtures.camera.with {
      $0.ask(path, mode: 0o666)
      $0.facts.confinement.container = "systemd-nspawn"
      $0.check([.read, .write], .notPermitted)
    }.explain().remedies.flatMap(\.commands)
    let write = try #require(commands.first { $0.hasPrefix("printf") })
    #expect(write.contains("'[Service]' 'DeviceAllow=\(path) rw' >> /etc/systemd/system/"))
    let rest = commands.joined().replacing("'DeviceAllow=\(path) rw'", with: "")
    #expect(!rest.contains(";"))
  }
}
