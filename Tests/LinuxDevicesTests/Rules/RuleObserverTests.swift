import AccessModel
import Glibc
import LinuxTestSupport
import Testing
import UdevRules

@testable import LinuxDevices

/// A machine with a USB camera and udev's folders, all of them files.
struct RuleMachine: ~Copyable {
  let directory: TemporaryDirectory
  let roots: MachineRoots
  private static let camera =
    "sys/devices/pci0/usb1/1-2/1-2:1.0/video4linux/video0"

  init() throws {
    let directory = try TemporaryDirectory()
    try directory.file("\(Self.camera)/uevent", "MAJOR=81\nMINOR=0\nDEVNAME=video0\n")
    try directory.file("\(Self.camera)/name", "A Camera\n")
    try directory.link("\(Self.camera)/subsystem", to: "/sys/class/video4linux")
    try directory.file("sys/devices/pci0/usb1/1-2/1-2:1.0/uevent", "DRIVER=uvcvideo\n")
    try directory.link("sys/devices/pci0/usb1/1-2/1-2:1.0/subsystem", to: "/sys/bus/usb")
    try directory.file("sys/devices/pci0/usb1/1-2/uevent", "DEVTYPE=usb_device\n")
    try directory.file("sys/devices/pci0/usb1/1-2/idVendor", "046d\n")
    try directory.file("sys/devices/pci0/usb1/1-2/secret", "0\n", mode: 0o200)
    try directory.link("sys/devices/pci0/usb1/1-2/subsystem", to: "/sys/bus/usb")
    try directory.file("run/udev/data/c81:0", "I:1\nE:ID_PATH=usb-1\nG:seat\nS:v4l/by-id/a\nV:1\n")
    try directory.file("etc/passwd", "root:x:0:0::/:/bin/sh\n")
    try directory.file("etc/group", "video:x:44:\n")
    try directory.file("usr/lib/systemd/libsystemd-shared-254.5-1.so")
    try directory.directory("lib/modules")
    for folder in ["etc", "run", "usr/lib", "usr/local/lib", "lib"] {
      try directory.directory("\(folder)/udev/rules.d")
    }
    var roots = MachineRoots()
    roots.sysfs = "\(directory.path)/sys"
    roots.proc = "\(directory.path)/proc"
    roots.etc = "\(directory.path)/etc"
    roots.run = "\(directory.path)/run"
    roots.modules = "\(directory.path)/lib/modules"
    roots.lib = "\(directory.path)/usr/lib"
    self.roots = roots
    self.directory = directory
  }

  func rules() -> RuleFacts {
    let device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "\(directory.path)/\(Self.camera)",
      subsystem: "video4linux", kernelName: "video0")
    return RuleObserver(roots: roots).observe(device, node: "/dev/video0", and: nil)
  }
}

@Suite struct `Rules of udev` {
  @Test func `are found in the folder above, with the programs that they run`() throws {
    let machine = try RuleMachine()
    try machine.directory.file(
      "etc/udev/60-a.rules", #"KERNEL=="video0", RUN+="chmod 666 $devnode""#)
    try machine.directory.file("etc/udev/udev.conf", "udev_log=info")
    let rules = machine.rules()
    #expect(rules.files.map(\.path) == ["/etc/udev/60-a.rules"])
    #expect(rules.choice.read.isEmpty)
    #expect(rules.environment.files["/usr/lib/udev/chmod"] == .absent)
  }

  @Test func `are read from all folders, with what they ask`() throws {
    let machine = try RuleMachine()
    try machine.directory.file(
      "usr/lib/udev/rules.d/50-a.rules", #"SUBSYSTEM=="video4linux", GROUP="video""#)
    try machine.directory.file(
      "etc/udev/rules.d/60-b.rules", #"ATTRS{idVendor}=="046d", ATTR{name}=="A*", MODE="0600""#)
    try machine.directory.file(
      "usr/local/lib/udev/rules.d/70-c.rules", #"TEST=="nosuch", MODE="0""#)
    try machine.directory.file("lib/udev/rules.d/80-d.rules", #"ENV{ID_PATH}=="usb-1", TAG+="t""#)
    let rules = machine.rules()
    #expect(
      rules.choice.read.map(\.name) == ["50-a.rules", "60-b.rules", "70-c.rules", "80-d.rules"])
    #expect(rules.version.number == 254)
    #expect(rules.version.release == 5)
    #expect(rules.device?.attributes["name"] == .present("A Camera"))
    // Attributes that no rule tests are not read.
    #expect(rules.parents[1].attributes["secret"] == nil)
    let report = try #require(rules.report("add"))
    #expect(report.node.mode == .value(0o600))
    #expect(report.node.group == .value(44))
    #expect(rules.record?.links == ["/dev/v4l/by-id/a"])
    #expect(rules.handled != nil)
    #expect(rules.files.allSatisfy { $0.modified != nil && $0.owner != nil })
  }

  @Test func `name users and groups that are known before the rules get there`() throws {
    let machine = try RuleMachine()
    try machine.directory.file(
      "etc/udev/rules.d/60-b.rules", #"SUBSYSTEM=="usb", OWNER="nobody", GROUP="video""#)
    let rules = machine.rules()
    #expect(rules.environment.groups["video"] == .present(44))
    #expect(rules.environment.users["nobody"] == .absent)
  }

  @Test func `are masked by links and empty files, and passed over where they are no files`() throws
  {
    let machine = try RuleMachine()
    let folder = "etc/udev/rules.d"
    try machine.directory.link("\(folder)/50-null.rules", to: "/dev/null")
    try machine.directory.file("\(folder)/51-empty.rules", "")
    try machine.directory.link("\(folder)/52-nowhere.rules", to: "/nosuch")
    let fifo = unsafe mkfifo("\(machine.directory.path)/\(folder)/53-fifo.rules", 0o644)
    #expect(fifo == 0)
    try machine.directory.directory("\(folder)/54-folder.rules")
    try machine.directory.file("\(folder)/55-good.rules", #"MODE="0666""#)
    for name in ["50-null", "51-empty", "52-nowhere"] {
      try machine.directory.file("usr/lib/udev/rules.d/\(name).rules", #"MODE="0600""#)
    }
    let rules = machine.rules()
    let states = Dictionary(
      uniqueKeysWithValues: rules.files.filter { $0.folder == "/etc/udev/rules.d" }
        .map { ($0.name, $0.state) })
    #expect(
      states == [
        "50-null.rules": .empty, "51-empty.rules": .empty, "52-nowhere.rules": .empty,
        "53-fifo.rules": .other, "54-folder.rules": .other, "55-good.rules": .rules,
      ])
    #expect(rules.report("add")?.effects.map(\.place.path) == ["/etc/udev/rules.d/55-good.rules"])
    let answer = RuleAnswer(rules, node: nil)
    #expect(answer.findings.count { $0.code == .unreadable } == 2)
  }

  @Test func `of any length and any bytes are bounded, and the others still read`() throws {
    let machine = try RuleMachine()
    let folder = "etc/udev/rules.d"
    try machine.directory.file(
      "\(folder)/10-long.rules", [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20))
    try machine.directory.file("\(folder)/11-bytes.rules", [0xFF, 0xFE, 0x0A, 0x00, 0x22])
    let rule = Array("KERNEL==\"nosuch\", MODE=\"0600\"\n".utf8)
    try machine.directory.file(
      "\(folder)/12-many.rules", Array(repeatElement(rule, count: 3_000).joined()))
    try machine.directory.file("\(folder)/99-good.rules", #"KERNEL=="video0", MODE="0666""#)
    let rules = machine.rules()
    #expect(rules.report("add")?.node.mode == .value(0o666))
    let answer = RuleAnswer(rules, node: nil)
    let codes = answer.findings.map { "\($0.place?.path ?? ""): \($0.code.rawValue)" }
    #expect(codes.contains("/etc/udev/rules.d/10-long.rules: invalid"))
    #expect(codes.contains("/etc/udev/rules.d/11-bytes.rules: invalid"))
    let path = "\(machine.directory.path)/\(folder)/12-many.rules"
    let cut = RuleFolders.read(path, folder: "/etc/udev/rules.d", name: "12-many.rules", room: 100)
    #expect(cut.bytes.count == 100)
    #expect(cut.problem == "it is longer than 100 bytes, and the rest was not read")
  }

  private static let markers: [(file: String, text: String, isContainer: Bool)] = [
    ("run/host/container-manager", "lxc\n", true), ("run/systemd/container", "docker\n", true),
    ("run/systemd/container", "", false), ("run/.containerenv", "", true),
    ("proc/1/environ", "PATH=/bin\0container=\0", true),
    ("proc/1/environ", "PATH=/bin\0containers=1\0", false),
    ("proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2\n", true),
    ("proc/sys/kernel/osrelease", "6.1.0-38-amd64\n", false),
  ]

  @Test(arguments: markers)
  func `ask for the command line of a container's first process`(
    file: String, text: String, isContainer: Bool
  ) throws {
    let machine = try RuleMachine()
    try machine.directory.file("proc/cmdline", "root=/dev/vda ro\n")
    try machine.directory.file("proc/1/cmdline", "/sbin/init\0quiet\0")
    try machine.directory.file(file, text)
    try machine.directory.file(
      "etc/udev/rules.d/60-a.rules", #"IMPORT{cmdline}=="ro", MODE="0666""#)
    let rules = machine.rules()
    #expect(
      rules.environment.commandLine == (isContainer ? "/sbin/init quiet" : "root=/dev/vda ro"))
    #expect(rules.report("add")?.node.mode == .value(isContainer ? nil : 0o666))
  }

  @Test func `that ask what cannot be read stay undetermined`() throws {
    let machine = try RuleMachine()
    try machine.directory.file(
      "etc/udev/rules.d/60-a.rules", #"PROGRAM=="/bin/true", MODE="0666""#)
    let rules = machine.rules()
    #expect(rules.report("add")?.node.mode.known == nil)
    #expect(rules.doubts("add").contains(.program("/bin/true")))
  }

  @Test func `are read beside bytes that are no UTF-8`() throws {
    let machine = try RuleMachine()
    try machine.directory.file(
      "etc/udev/rules.d/60-a.rules",
      [0xFF, 0x0A] + Array("# x\nKERNEL==\"video0\", GROUP=\"video\"\n".utf8))
    let rules = machine.rules()
    #expect(rules.report("add")?.node.group == .value(44))
    #expect(rules.environment.groups["video"] == .present(44))
  }
}

@Suite struct `The version of systemd` {
  @Test(
    arguments: [
      ("libsystemd-shared-252.so", 252, nil), ("libsystemd-shared-255.4-1.fc40.so", 255, 4),
      ("libsystemd-shared-257.so", 257, nil),
    ] as [(String, Int, Int?)])
  func `is part of the name of a library`(name: String, number: Int, release: Int?) {
    #expect(RuleDaemon.version(inName: name) == UdevRuleVersion(number, release: release))
  }

  @Test(arguments: ["libsystemd-shared-.so", "libsystemd-shared-abc.so", "libsystemd.so.0", ""])
  func `is not part of another`(name: String) {
    #expect(RuleDaemon.version(inName: name) == nil)
  }
}
