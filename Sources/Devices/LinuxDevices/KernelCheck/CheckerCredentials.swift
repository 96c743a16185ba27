internal import AccessModel
internal import CLinux

/// The credentials of a child process that asks the kernel on behalf of another subject.
///
/// The IDs are those of the caller's user namespace. The calling process's own credentials never
/// change; see `clinux_asker_start`.
struct CheckerCredentials: Hashable, Sendable {
  var user: UInt32
  var group: UInt32
  var groups: [UInt32]
  var capabilities: CapabilitySet

  /// Returns whether the calling thread can give a child these credentials.
  ///
  /// This requires `CAP_SETUID`, `CAP_SETGID` and each capability in the credentials.
  func canBeTaken(by caller: Subject) -> Bool {
    let needed: CapabilitySet = [.setUsers, .setGroups]
    return !caller.unobserved.contains(.capabilities)
      && caller.effective.isSuperset(of: needed)
      && caller.permitted.isSuperset(of: capabilities)
  }

  /// The time to wait for each response of a child that was started for some questions, in
  /// milliseconds.
  private static let patience: Int32 = 3000

  /// Starts a child that asks the kernel about some paths, and returns a result for each
  /// permission.
  ///
  /// A result is what `faccessat2` returned: success or an error.
  ///
  /// - Throws: The error from creating a child or setting its credentials, or an error of
  ///   ``AskingChild/ask(_:)``.
  func ask(_ questions: [KernelQuestion]) throws(Errno) -> [Errno] {
    try AskingChild(self, patience: Self.patience).ask(questions)
  }

  /// Calls a C function with these credentials.
  func withCredentials(_ body: (UnsafePointer<clinux_identity>) -> Int32) -> Int32 {
    unsafe groups.withUnsafeBufferPointer { groups in
      var identity = unsafe clinux_identity(
        user: user, group: group, groups: groups.baseAddress, group_count: groups.count,
        capabilities: capabilities.bits)
      return unsafe body(&identity)
    }
  }
}
