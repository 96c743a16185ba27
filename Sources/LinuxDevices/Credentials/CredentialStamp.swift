internal import AccessModel
internal import CLinux
internal import Glibc

/// The credentials of the calling thread, as they are compared and not explained.
///
/// Six system calls read them; the whole subject takes files of procfs.
struct CredentialStamp: Hashable, Sendable {
  private var users: [UInt32]
  private var groups: [UInt32]
  private var supplementaryGroups: [UInt32]?
  private var capabilities: [UInt64]?

  /// Reads those of the calling thread.
  init() {
    var (real, effective, saved): (uid_t, uid_t, uid_t) = (0, 0, 0)
    unsafe getresuid(&real, &effective, &saved)
    // An invalid identifier changes nothing, so that the call only answers: setfsuid(2).
    users = [real, effective, saved, UInt32(bitPattern: setfsuid(uid_t.max))]
    unsafe getresgid(&real, &effective, &saved)
    groups = [real, effective, saved, UInt32(bitPattern: setfsgid(gid_t.max))]
    supplementaryGroups = CredentialObserver.supplementaryGroups()
    var sets: [UInt64] = [0, 0, 0]
    capabilities = unsafe clinux_capabilities(&sets) == 0 ? sets : nil
  }
}
