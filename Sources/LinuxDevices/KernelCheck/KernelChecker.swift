internal import AccessModel
internal import CLinux

/// Who asks the kernel for its own answers.
enum KernelChecker: Sendable {
  /// What the kernel answers to the calling thread: 0, an error number, or `nil` when it cannot
  /// be asked.
  typealias Kernel = (_ path: String, _ mode: Permissions) -> Errno?

  /// The calling thread, which is the subject.
  case caller
  /// A child process with the subject's identity.
  case child(CheckerCredentials)
  /// Nobody can, for a reason.
  case none(String)

  /// What the kernel answers, as far as it could be asked, and why no further.
  ///
  /// - Parameters:
  ///   - questions: Paths and permissions.
  ///   - kernel: Asks it in the name of the calling thread.
  ///   - children: Those that stay; without them a child is started for these questions.
  /// - Returns: The answers, and why there are not more.
  func answers(
    to questions: [(path: String, mode: Permissions)], asking kernel: Kernel,
    through children: AskingChildren? = nil
  ) -> (checks: [KernelCheck], failure: String?) {
    switch self {
    case .caller: ownAnswers(questions, kernel)
    case .child(let identity): childAnswers(questions, identity, kernel, children)
    case .none(let reason): ([], reason)
    }
  }

  private func ownAnswers(
    _ questions: [(path: String, mode: Permissions)], _ kernel: Kernel
  ) -> (checks: [KernelCheck], failure: String?) {
    var checks: [KernelCheck] = []
    for (path, mode) in questions {
      guard let errno = kernel(path, mode) else {
        return (checks, "faccessat2 cannot be called")
      }
      checks.append(KernelCheck(path: path, mode: mode, errno: errno))
    }
    return (checks, nil)
  }

  /// Asks in the caller's control group, so what only that one refuses is left out.
  private func childAnswers(
    _ questions: [(path: String, mode: Permissions)], _ identity: CheckerCredentials,
    _ kernel: Kernel, _ children: AskingChildren?
  ) -> (checks: [KernelCheck], failure: String?) {
    let answers: [Errno]
    do throws(Errno) {
      answers =
        if let children { try children.ask(questions, as: identity) } else {
          try identity.ask(questions)
        }
    } catch {
      return ([], "no process with its credentials can be made (\(error.reason))")
    }
    var failure: String?
    let checks = zip(questions, answers).compactMap { question, errno -> KernelCheck? in
      let isOwn =
        errno == .notPermitted && kernel(question.path, question.mode) == errno
      guard !isOwn, errno != .noSystemCall else {
        failure = isOwn ? "the caller's own control group refuses" : "faccessat2 cannot be called"
        return nil
      }
      return KernelCheck(path: question.path, mode: question.mode, errno: errno)
    }
    return (checks, failure)
  }
}
