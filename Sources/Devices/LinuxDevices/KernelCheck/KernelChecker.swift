internal import AccessModel
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
    through children: AskingChildren? = nil
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
    _ children: AskingChildren?
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
