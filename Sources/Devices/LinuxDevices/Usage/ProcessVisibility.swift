internal import AccessModel
internal import Glibc

/// Determines which other processes this process can see.
struct ProcessVisibility {
  let proc: String

  /// The link target of the initial PID namespace (`PROC_PID_INIT_INO`), which is the same on every
  /// machine.
  private static let firstNamespace = "pid:[4026531836]"

  /// A Boolean value that indicates whether the capability to trace any process is effective.
  var canTrace: Bool {
    guard let file = try? BoundedFile.read("\(proc)/thread-self/status", limit: 1 << 20) else {
      return false
    }
    return ThreadStatus(parsing: file.bytes).effective?.contains(.traceProcesses) ?? false
  }

  /// A Boolean value that indicates whether procfs shows this process's PID namespace.
  ///
  /// After unshare(1) without `--mount-proc`, it shows a parent namespace, whose process IDs differ
  /// from those in system calls.
  var isOfOwnNamespace: Bool { SymbolicLink.target(of: "\(proc)/self") == "\(getpid())" }

  /// Returns the reasons why other processes may exist that are not listed.
  func hidingReasons(listed: [Int32]) -> Set<UnseenProcesses.Reason> {
    var reasons: Set<UnseenProcesses.Reason> = []
    // procfs may show a parent of this process's PID namespace. The first process shows which one,
    // if this process may read its link.
    let namespace =
      SymbolicLink.target(of: "\(proc)/1/ns/pid") ?? SymbolicLink.target(of: "\(proc)/self/ns/pid")
    if namespace != Self.firstNamespace { reasons.insert(.outside) }
    // A PID namespace that contains processes always has a process 1.
    if !listed.contains(1) || hidesProcesses && !canTrace { reasons.insert(.hidden) }
    return reasons
  }

  /// A Boolean value that indicates whether procfs is mounted with an option that hides other
  /// users' processes.
  private var hidesProcesses: Bool {
    guard let file = try? BoundedFile.read("\(proc)/thread-self/mountinfo", limit: 1 << 24) else {
      return true
    }
    let mark = Array(" - proc ".utf8)
    let entries = file.bytes.split(separator: ByteScanner.newline).filter { line in
      line.indices.contains { line[$0] == mark[0] && line[$0...].starts(with: mark) }
    }.compactMap(MountEntry.init(parsing:))
    // The last mount at this path is the visible one.
    guard let mount = entries.last(where: { $0.point == proc }) else { return false }
    return mount.superblockOptions.contains { option in
      ["hidepid=2", "hidepid=4", "hidepid=invisible", "hidepid=ptraceable"].contains(option)
    }
  }
}
