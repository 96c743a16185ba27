internal import AccessModel
internal import CLinux
internal import Glibc

/// The credentials of the calling thread that access to files is decided by, as they are compared and
/// not explained.
///
/// Four system calls read them; the whole subject takes files of procfs. What sets the effective
/// identifiers sets those for files, too (credentials(7)); the real and saved ones alone change no
/// access.
struct CredentialStamp: Equatable, Sendable {
  private let fileUser: Int32
  private let fileGroup: Int32
  private let groups: [UInt32]?
  private var (effective, permitted, inheritable): (UInt64, UInt64, UInt64) = (0, 0, 0)

  /// Reads those of the calling thread.
  init() {
    // An invalid identifier changes nothing, so that the call only answers: setfsuid(2).
    fileUser = setfsuid(uid_t.max)
    fileGroup = setfsgid(gid_t.max)
    groups = CredentialObserver.supplementaryGroups()
    unsafe clinux_capabilities(&effective, &permitted, &inheritable)
  }
}
