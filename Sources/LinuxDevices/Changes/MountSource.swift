internal import AccessModel
internal import CLinux
internal import Glibc

/// Tells when something is mounted, unmounted or remounted (proc_pid_mountinfo(5)).
enum MountSource {
  /// The source that calls `body` after each change of the calling thread's mounts.
  ///
  /// - Throws: What keeps the table from being opened.
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
