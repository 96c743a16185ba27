internal import AccessModel
internal import CLinux
internal import Glibc

/// Reports when something is mounted, unmounted or remounted (proc_pid_mountinfo(5)).
enum MountSource {
  /// Returns a source that calls `body` after each change to the calling thread's mounts.
  ///
  /// - Throws: The error from opening the table.
  static func source(
    proc: String, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> DescriptorSource {
    let path = "\(proc)/thread-self/mountinfo"
    let table = try OwnedDescriptor(unsafe open(path, O_RDONLY | O_CLOEXEC))
    return DescriptorSource(table, interest: CLINUX_URGENT) { _, _ in
      body()
      return true
    }
  }
}
