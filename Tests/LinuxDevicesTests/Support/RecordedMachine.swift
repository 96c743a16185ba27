import AccessModel
import LinuxTestSupport

@testable import LinuxDevices

/// A machine whose `/proc`, `/etc` and `/run` are files.
final class RecordedMachine {
  let directory: TemporaryDirectory

  init(users: String = "", groups: String = "", status: String = RecordedMachine.status) throws {
    let directory = try TemporaryDirectory()
    try directory.file("proc/thread-self/status", status)
    try directory.file("proc/thread-self/uid_map", "0 0 4294967295\n")
    try directory.file("proc/thread-self/gid_map", "0 0 4294967295\n")
    try directory.file("proc/thread-self/mountinfo", "1 0 0:1 / / rw - tmpfs none rw\n")
    try directory.file("proc/thread-self/cgroup", "0::/\n")
    try directory.file("proc/sys/fs/protected_symlinks", "1\n")
    try directory.file("etc/passwd", users)
    try directory.file("etc/group", groups)
    self.directory = directory
  }

  static let status = """
    Uid:\t1000\t1000\t1000\t1000
    Gid:\t1000\t1000\t1000\t1000
    Groups:\t1000
    CapPrm:\t0000000000000000
    CapEff:\t0000000000000000
    """

  func machine(_ environment: [String: String] = [:]) -> LinuxMachine {
    var roots = MachineRoots()
    roots.proc = "\(directory.path)/proc"
    roots.etc = "\(directory.path)/etc"
    roots.run = "\(directory.path)/run"
    return LinuxMachine(roots: roots, environment: { environment[$0] }, kernelCheck: { _, _ in 0 })
  }
}
