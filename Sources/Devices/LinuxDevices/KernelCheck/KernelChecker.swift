package import AccessModel
internal import CLinux
internal import Glibc

/// The thread or process that asks the kernel for its decisions.
enum KernelChecker: Sendable {
  /// A function that asks the kernel on the calling thread.
  ///
  /// It returns 0, an error number, or `nil` if the kernel cannot be asked.
  typealias Kernel = (_ path: String, _ mode: Permissions) -> Errno?

  /// The calling thread, which is the subject.
  case caller
  /// A child process with the subject's credentials.
  case child(CheckerCredentials)
  /// No thread or process can ask, for the given reason.
  case none(String)

  /// Returns the kernel's answers, and the reason why some are missing.
  ///
  /// - Parameters:
  ///   - questions: The paths and permissions.
  ///   - kernel: Asks the kernel on the calling thread.
  ///   - children: Children that can be reused; if `nil`, a new child is started for these
  ///     questions.
  /// - Returns: The answers, and the reason why some are missing.
  func answers(
    to questions: [KernelQuestion], asking kernel: Kernel,
    through children: KernelCheckChildren? = nil
  ) -> (checks: [KernelCheck], failure: String?) {
    switch self {
    case .caller: ownAnswers(questions, kernel)
    case .child(let identity): childAnswers(questions, identity, kernel, children)
    case .none(let reason): ([], reason)
    }
  }

  private func ownAnswers(
    _ questions: [KernelQuestion], _ kernel: Kernel
  ) -> (checks: [KernelCheck], failure: String?) {
    var checks: [KernelCheck] = []
    for question in questions {
      guard let answers = Self.answers(to: question, kernel) else {
        return (checks, "faccessat2 cannot be called")
      }
      checks += question.checks(answers)
    }
    return (checks, nil)
  }

  /// Returns the kernel's answers about one path, with as few system calls as possible.
  ///
  /// If several kinds of access are granted together, each of them is granted (`generic_permission`
  /// in fs/namei.c). A missing file is missing for every kind of access, because `do_faccessat` in
  /// fs/open.c resolves the path first.
  private static func answers(to question: KernelQuestion, _ kernel: Kernel) -> [Errno]? {
    let modes = question.modes
    var answers = modes.map { _ in Errno.success }
    var granted: [Permissions] = []
    var failure: Errno?
    let mostFirst = modes.indices.sorted {
      modes[$0].rawValue.nonzeroBitCount > modes[$1].rawValue.nonzeroBitCount
    }
    for index in mostFirst {
      let mode = modes[index]
      if let failure {
        answers[index] = failure
      } else if !granted.contains(where: { $0.isSuperset(of: mode) }) {
        guard let answer = kernel(question.path, mode) else { return nil }
        answers[index] = answer
        if answer == .success { granted.append(mode) }
        if answer == .noSuchFile || answer == .notDirectory { failure = answer }
      }
    }
    return answers
  }

  /// Returns whether a path may be a device, to which a control group can refuse access.
  ///
  /// A file with an attribute of chattr(1) leads to the same error, for every user.
  private static func isDevice(_ path: String) -> Bool {
    let file = try? OpenFile(following: path, in: AT_FDCWD)
    return file.map { $0.device != nil } ?? true
  }

  /// Asks in the caller's control group, and leaves out refusals that come only from that group.
  private func childAnswers(
    _ questions: [KernelQuestion], _ identity: CheckerCredentials, _ kernel: Kernel,
    _ children: KernelCheckChildren?
  ) -> (checks: [KernelCheck], failure: String?) {
    var answers: ArraySlice<Errno>
    do throws(Errno) {
      answers =
        if let children { try children.ask(questions, as: identity)[...] } else {
          try identity.ask(questions)[...]
        }
    } catch {
      guard error == .timedOut || error.rawValue == ECHILD else {
        return ([], "no process with its credentials can be created (\(error.reason))")
      }
      // The user in question could have stopped or killed the child, so this still counts as a
      // check.
      let checks = questions.flatMap { $0.checks($0.modes.map { _ in .timedOut }) }
      return (checks, "the kernel did not answer in time")
    }
    var failure: String?
    var checks: [KernelCheck] = []
    for question in questions {
      for check in question.checks(answers) {
        let isOwn =
          check.errno == .notPermitted && kernel(check.path, check.permissions) == check.errno
          && Self.isDevice(check.path)
        if !isOwn, check.errno != .noSystemCall {
          checks.append(check)
        } else {
          failure =
            isOwn ? "the caller's control group refuses" : "faccessat2 cannot be called"
        }
      }
      answers = answers.dropFirst(question.modes.count)
    }
    return (checks, failure)
  }
}

/// A path and the permissions to ask the kernel about.
package struct KernelQuestion: Sendable {
  /// The absolute path.
  package var path: String
  /// The permissions, each of which is checked separately.
  package var modes: [Permissions]

  package init(_ path: String, _ modes: [Permissions]) {
    self.path = path
    self.modes = modes
  }

  /// Combines the permissions with the answers, which are in the same order.
  func checks(_ answers: some Sequence<Errno>) -> [KernelCheck] {
    zip(modes, answers).map { KernelCheck(path: path, mode: $0, errno: $1) }
  }
}

/// Asks the kernel whether the calling thread may access a path.
///
/// This is the system call `faccessat2` with `AT_EACCESS` (Linux 5.8). The functions of glibc may
/// fall back to the mode bits.
enum FileAccessCheck {
  /// Asks the kernel about the object at a path.
  ///
  /// A sandbox may refuse the system call itself (`ENOSYS` or `EPERM`). To recognize this, `EPERM`
  /// is compared with the result for the root directory, whose existence every process may check.
  ///
  /// - Returns: Success if access is granted, the error if it is refused, or `nil` if the kernel
  ///   cannot be asked.
  static func ask(_ path: String, _ mode: Permissions) -> Errno? {
    meaning(of: unsafe clinux_access(ByteText(path).cString, Int32(mode.rawValue)))
  }

  /// Asks the kernel about an open object, whose descriptor may be opened with `O_PATH`.
  ///
  /// - Returns: The result, as for ``ask(_:_:)``.
  static func ask(held descriptor: Int32, _ mode: Permissions) -> Errno? {
    meaning(of: clinux_access_held(descriptor, Int32(mode.rawValue)))
  }

  private static func meaning(of answer: Int32) -> Errno? {
    let error = Errno(negated: answer)
    switch error {
    case .noSystemCall: return nil
    // The system call was interrupted before it came to a decision.
    case .interrupted: return nil
    case _ where error.isOfResources: return nil
    case .notPermitted where unsafe clinux_access("/", F_OK) != 0: return nil
    default: return error
    }
  }
}
