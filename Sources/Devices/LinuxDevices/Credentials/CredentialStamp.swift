internal import AccessModel
internal import CLinux
internal import Glibc

/// The credentials of the calling thread that determine its access to files, for comparison only.
///
/// Reading them takes four system calls, while the complete subject also requires files in procfs.
/// A change to an effective ID also changes the filesystem ID (credentials(7)). The real and saved
/// IDs do not affect access.
struct CredentialStamp: Equatable, Sendable {
  private let fileUser: Int32
  private let fileGroup: Int32
  private let groups: [UInt32]?
  private var (effective, permitted, inheritable): (UInt64, UInt64, UInt64) = (0, 0, 0)

  /// Reads the credentials of the calling thread.
  init() {
    // An invalid ID is not set, so the call only returns the current ID (setfsuid(2)).
    fileUser = setfsuid(uid_t.max)
    fileGroup = setfsgid(gid_t.max)
    groups = CredentialObserver.supplementaryGroups()
    unsafe clinux_capabilities(&effective, &permitted, &inheritable)
  }
}
