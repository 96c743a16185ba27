internal import AccessModel
internal import CLinux

/// Credentials that a child process takes to ask the kernel in another's name.
///
/// The identifiers are numbered as in the caller's own user namespace. No thread of the calling
/// process ever changes: see `clinux_ask_as`.
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

  /// What `faccessat2` answers to it, success or an error, for each path and each of its permissions.
  ///
  /// - Throws: the error number with which a child or its credentials could not be made.
  func ask(_ questions: [KernelQuestion]) throws(Errno) -> [Errno] {
    let paths = questions.map { ByteText($0.path).cString }
    let starts = paths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    let text = paths.flatMap(\.self)
    var answers: [Errno] = []
    let result = unsafe text.withUnsafeBufferPointer { text in
      unsafe withCredentials { identity in
        var list = unsafe zip(questions, starts).flatMap { question, start in
          unsafe question.modes.map { mode in
            unsafe clinux_question(
              path: text.baseAddress.map { unsafe $0 + start }, mode: Int32(mode.rawValue),
              answer: 0)
          }
        }
        let result = unsafe clinux_ask_as(identity, &list, list.count)
        answers = unsafe list.map { unsafe Errno(negated: $0.answer) }
        return result
      }
    }
    try Errno.check(negated: result)
    return answers
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
