internal import AccessModel
internal import CLinux
internal import Glibc

/// The credentials of the calling thread, as they are compared and not explained.
///
/// Six system calls read them; the whole subject takes files of procfs.
struct CredentialStamp: Equatable, Sendable {
  private var (user, effectiveUser, savedUser): (uid_t, uid_t, uid_t) = (0, 0, 0)
  private var (group, effectiveGroup, savedGroup): (gid_t, gid_t, gid_t) = (0, 0, 0)
  private let fileUser: Int32
  private let fileGroup: Int32
  private let groups: [UInt32]?
  private var (effective, permitted, inheritable): (UInt64, UInt64, UInt64) = (0, 0, 0)

  /// Reads those of the calling thread.
  init() {
    unsafe getresuid(&user, &effectiveUser, &savedUser)
    unsafe getresgid(&group, &effectiveGroup, &savedGroup)
    // An invalid identifier changes nothing, so that the call only answers: setfsuid(2).
    fileUser = setfsuid(uid_t.max)
    fileGroup = setfsgid(gid_t.max)
    groups = CredentialObserver.supplementaryGroups()
    unsafe clinux_capabilities(&effective, &permitted, &inheritable)
  }
}
