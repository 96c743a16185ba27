import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Compares sysfs, `/proc/devices` and nodes before a kind of device is reported as absent.
@Suite final class `A list without a device of a kind` {
  private let root: TemporaryDirectory
  private let check: DeviceListCheck

  init() throws {
    root = try TemporaryDirectory()
    var roots = MachineRoots()
    roots.sysfs = root.path + "/sys"
    roots.proc = root.path + "/proc"
    check = DeviceListCheck(roots: roots)
    try root.file(
      "proc/devices", "Character devices:\n  4 tty\n  4 ttyS\n 81 video4linux\n\nBlock devices:\n")
    for name in ["class/tty", "class/video4linux", "dev/char", "devices/pnp0/tty/ttyS0"] {
      try root.directory("sys/" + name)
    }
    try root.link("sys/devices/pnp0/tty/ttyS0/subsystem", to: "../../../../class/tty")
  }

  private func addNumber() throws {
    try root.link("sys/dev/char/4:64", to: "../../devices/pnp0/tty/ttyS0")
  }

  private func addLink() throws {
    try root.link("sys/class/tty/ttyS0", to: "../../devices/pnp0/tty/ttyS0")
  }

  @Test func `is believed where everything agrees`() {
    #expect(check.hidden(.serial, besides: []) == nil)
    #expect(check.hidden(.camera, besides: []) == nil)
  }

  @Test func `is not believed where a number leads to one`() throws {
    try addNumber()
    let reason = check.hidden(.serial, besides: [])
    #expect(
      reason == "the list of tty devices lacks ttyS0, to which \(root.path)/sys/dev/char/4:64 leads"
    )
    // The number of a device in another subsystem is irrelevant.
    #expect(check.hidden(.camera, besides: []) == nil)
  }

  @Test func `is not believed where the class names one that is not shown`() throws {
    try root.link("sys/class/tty/ttyS1", to: "../../devices/gone/tty/ttyS1")
    #expect(
      check.hidden(.serial, besides: [])
        == "the target of \(root.path)/sys/class/tty/ttyS1 does not exist")
    #expect(check.hidden(.camera, besides: []) == nil)
  }

  @Test func `is believed where the list has what the number leads to`() throws {
    try addNumber()
    try addLink()
    let device = DeviceFacts(
      node: nil, sysfsPath: "\(root.path)/sys/devices/pnp0/tty/ttyS0", subsystem: "tty",
      kernelName: "ttyS0")
    #expect(check.hidden(.serial, besides: [device]) == nil)
  }

  @Test(.requiresPrivateMounts, arguments: ["class/tty", "class", "dev/char", "devices"])
  func `is not believed where another filesystem covers a part`(part: String) async {
    await #expect(processExitsWith: .success) { [part = part as String] in
      try PrivateMachine.separateMounts()
      let root = try TemporaryDirectory()
      for name in ["class/tty", "dev/char", "devices"] { try root.directory("sys/" + name) }
      try PrivateMachine.mountTemporary(at: "\(root.path)/sys/\(part)")
      try root.directory("sys/class/tty")
      var roots = MachineRoots()
      roots.sysfs = root.path + "/sys"
      let reason = DeviceListCheck(roots: roots).hidden(.serial, besides: [])
      #expect(reason?.contains("not on the same filesystem") == true, "\(reason ?? "none")")
    }
  }

  @Test(.requiresPrivateMounts) func `is not believed where a node has a number of a driver`() async
  {
    await #expect(processExitsWith: .success) {
      try PrivateMachine.separateMounts()
      let root = try TemporaryDirectory()
      try PrivateMachine.mountTemporary(at: root.path)
      for name in ["sys/class/tty", "sys/dev/char", "sys/devices", "dev"] {
        try root.directory(name)
      }
      try root.file("proc/devices", "Character devices:\n  4 ttyS\n\nBlock devices:\n")
      try PrivateMachine.makeDevice("\(root.path)/dev/ttyS0", major: 4, minor: 64, mode: 0o600)
      try PrivateMachine.makeDevice("\(root.path)/dev/ttyS1", major: 5, minor: 64, mode: 0o600)
      try PrivateMachine.makeDevice("\(root.path)/dev/video0", major: 4, minor: 65, mode: 0o600)
      var roots = MachineRoots()
      roots.sysfs = root.path + "/sys"
      roots.proc = root.path + "/proc"
      let check = DeviceListCheck(roots: roots)
      #expect(
        check.unlistedNode(.serial, root: root.path)
          == "\(roots.sysfs) does not show 4:64, the number of /dev/ttyS0")
      #expect(check.unlistedNode(.gpu, root: root.path) == nil)
    }
  }
}
