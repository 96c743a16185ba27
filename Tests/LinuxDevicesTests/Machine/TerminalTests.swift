import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Logins on serial ports, read from files that imitate control groups.
@Suite struct `A login on a serial port` {
  private static let slice = "system.slice/system-serial\\x2dgetty.slice"

  private static func keepers(
    _ nodes: String..., groups: [(path: String, processes: String)]
  ) throws -> [String: String] {
    let directory = try TemporaryDirectory()
    for group in groups {
      try directory.file("sys/fs/cgroup/\(group.path)/cgroup.procs", group.processes)
    }
    var roots = MachineRoots()
    roots.sysfs = "\(directory.path)/sys"
    return TerminalObserver(roots: roots).keepers(of: nodes)
  }

  @Test(arguments: ["", "systemd/", "unified/"])
  func `is found by its control group`(hierarchy: String) throws {
    let unit = "serial-getty@ttyS0.service"
    let found = try Self.keepers(
      "/dev/ttyS0", "/dev/ttyS1",
      groups: [("\(hierarchy)\(Self.slice)/\(unit)", "812\n")])
    #expect(found == ["/dev/ttyS0": unit])
  }

  @Test func `is found on a console, and on a port with an unusual name`() throws {
    let found = try Self.keepers(
      "/dev/tty1", "/dev/ttyGS-0",
      groups: [
        ("system.slice/system-getty.slice/getty@tty1.service", "1\n"),
        ("\(Self.slice)/serial-getty@ttyGS\\x2d0.service", "2\n"),
      ])
    #expect(
      found == [
        "/dev/tty1": "getty@tty1.service",
        "/dev/ttyGS-0": "serial-getty@ttyGS\\x2d0.service",
      ])
  }

  @Test func `is none where no process runs, or nothing can be seen`() throws {
    let unit = "\(Self.slice)/serial-getty@ttyS0.service"
    #expect(try Self.keepers("/dev/ttyS0", groups: [(unit, "")]).isEmpty)
    #expect(try Self.keepers("/dev/ttyS0", groups: []).isEmpty)
    #expect(try Self.keepers("/dev/../ttyS0", "relative", groups: [(unit, "1\n")]).isEmpty)
  }
}
