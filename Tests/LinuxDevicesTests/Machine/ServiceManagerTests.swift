import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Detects systemd as the service manager by its directory below `/run`.
@Suite struct `The service manager` {
  @Test func `is systemd where its directory is, below what the subject sees`() throws {
    let directory = try TemporaryDirectory()
    var roots = MachineRoots()
    roots.run = "/run"
    try directory.directory("root/run")
    #expect(roots.hasSystemd(below: "\(directory.path)/root") == false)
    try directory.directory("root/run/systemd/system")
    #expect(roots.hasSystemd(below: "\(directory.path)/root") == true)
  }

  // A file in place of a directory cannot be listed, not even by root.
  @Test func `is unknown where that cannot be looked at`() throws {
    let directory = try TemporaryDirectory()
    try directory.file("run/systemd/system", "")
    #expect(MachineRoots().hasSystemd(below: directory.path) == nil)
  }
}
