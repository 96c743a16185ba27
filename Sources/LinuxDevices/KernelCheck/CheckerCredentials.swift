internal import AccessModel
internal import CLinux

/// Credentials that a child process takes to ask the kernel in another's name.
///
/// The identifiers are numbered as in the caller's own user namespace. No thread of the calling
/// process ever changes: see `clinux_asker_start`.
struct CheckerCredentials: Hashable, Sendable {
  var user: UInt32
  var group: UInt32
  var groups: [UInt32]
  var capabilities: CapabilitySet

  /// Whether the calling thread may take it: CAP_SETUID, CAP_SETGID, and each of its
  /// capabilities.
  func canBeTaken(by caller: Subject) -> Bool {
    let needed: CapabilitySet = [.setUsers, .setGroups]
    return !caller.unobserved.contains(.capabilities)
      && caller.effective.isSuperset(of: needed)
      && caller.permitted.isSuperset(of: capabilities)
  }

  /// For how many milliseconds a child that is started for some questions is waited for, each time.
  private static let patience: Int32 = 3000

  /// What `faccessat2` answers to it, success or an error, for each path and each of its permissions.
  ///
  /// - Throws: The error number with which a child or its credentials could not be made, and as
  ///   ``AskingChild/ask(_:)``.
  func ask(_ questions: [KernelQuestion]) throws(Errno) -> [Errno] {
    try AskingChild(self, patience: Self.patience).ask(questions)
  }

  /// Calls a function of C with these credentials.
  func withCredentials(_ body: (UnsafePointer<clinux_identity>) -> Int32) -> Int32 {
    unsafe groups.withUnsafeBufferPointer { groups in
      var identity = unsafe clinux_identity(
        user: user, group: group, groups: groups.baseAddress, group_count: groups.count,
        capabilities: capabilities.bits)
      return unsafe body(&identity)
    }
  }
}
