import LinuxTestSupport
import Testing

@testable import LinuxDevices

struct `A control group as a directory` {
  @Test func `lists its processes, and those of the groups below it after them`() throws {
    let directory = try TemporaryDirectory()
    try directory.file("unit/cgroup.procs", "30\n4\n")
    try directory.file("unit/b/cgroup.procs", "2\n")
    try directory.file("unit/a/cgroup.procs", "9\n")
    try directory.file("unit/a/inner/cgroup.procs", "1\n")
    let group = ControlGroupFolder(path: directory.path).group("unit")
    #expect(group.names == ["a", "b"])
    #expect(group.processes == [30, 4])
    #expect(group.allProcesses(limit: 256) == [30, 4, 9, 2, 1])
    #expect(group.allProcesses(limit: 3) == [30, 4, 9])
  }

  @Test func `has processes of another PID namespace, without numbers`() throws {
    let directory = try TemporaryDirectory()
    try directory.file("cgroup.procs", "0\n0\n")
    let group = ControlGroupFolder(path: directory.path)
    #expect(group.hasProcesses && group.processes.isEmpty)
  }

  @Test func `takes no number that was cut off for that of another process`() throws {
    let directory = try TemporaryDirectory()
    // The first 65,536 bytes end within the last number.
    try directory.file("cgroup.procs", String(repeating: "1234567\n", count: 8191) + "123\n1234\n")
    let processes = ControlGroupFolder(path: directory.path).processes
    #expect(processes.count == 8192 && processes.last == 123)
  }

  @Test func `has none where there is no such group`() {
    let group = ControlGroupFolder(path: "/nonexistent")
    #expect(!group.hasProcesses && group.allProcesses(limit: 8).isEmpty && group.names.isEmpty)
  }
}
