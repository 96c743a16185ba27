internal import AccessModel
internal import Glibc

/// Tells what this process may see of others.
struct ProcessVisibility {
  let proc: String

  /// The inode of the first PID namespace (`PROC_PID_INIT_INO`), the same on every machine.
  private static let firstNamespace = "pid:[4026531836]"

  /// Whether the capability to trace any process is in force.
  var canTrace: Bool {
    guard let file = try? BoundedFile.read("\(proc)/thread-self/status", limit: 1 << 20) else {
      return false
    }
    return ThreadStatus(parsing: file.bytes).effective?.contains(.traceProcesses) ?? false
  }

  /// Whether the folder has the process IDs by which system calls of this process know others.
  ///
  /// After unshare(1) without `--mount-proc` it is that of a namespace around the own one.
  var isOfOwnNamespace: Bool { SymbolicLink.target(of: "\(proc)/self") == "\(getpid())" }

  /// Why there may be processes that are not listed.
  func hidingReasons(listed: [Int32]) -> Set<UnseenProcesses.Reason> {
    var reasons: Set<UnseenProcesses.Reason> = []
    // The folder may be that of a namespace around this process's own: its first process tells, where it
    // may be asked.
    let namespace =
      SymbolicLink.target(of: "\(proc)/1/ns/pid") ?? SymbolicLink.target(of: "\(proc)/self/ns/pid")
    if namespace != Self.firstNamespace { reasons.insert(.outside) }
    // Every namespace has a first process, for as long as it has any.
    if !listed.contains(1) || hidesProcesses && !canTrace { reasons.insert(.hidden) }
    return reasons
  }

  /// Whether the folder is mounted so that the processes of others are not even listed.
  private var hidesProcesses: Bool {
    guard let file = try? BoundedFile.read("\(proc)/thread-self/mountinfo", limit: 1 << 24) else {
      return true
    }
    let mark = Array(" - proc ".utf8)
    let entries = file.bytes.split(separator: ByteScanner.newline).filter { line in
      line.indices.contains { line[$0] == mark[0] && line[$0...].starts(with: mark) }
    }.compactMap(MountEntry.init(parsing:))
    // The last one mounted there is the one that is seen.
    guard let mount = entries.last(where: { $0.point == proc }) else { return false }
    return mount.superblockOptions.contains { option in
      ["hidepid=2", "hidepid=4", "hidepid=invisible", "hidepid=ptraceable"].contains(option)
    }
  }
}
