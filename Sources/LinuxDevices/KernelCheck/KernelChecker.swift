internal import AccessModel
internal import CLinux
internal import Glibc

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

  /// What the kernel answers about one path, asked no more often than it takes.
  ///
  /// A right to several things together is a right to each (`generic_permission` in fs/namei.c). What
  /// is not found is not found whatever is wanted: `do_faccessat` in fs/open.c looks for it first.
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

  /// Whether a control group can refuse what is at a path; a file with a flag of chattr(1) is refused with
  /// the same error, to everybody.
  private static func isDevice(_ path: String) -> Bool {
    let file = try? OpenFile(following: path, in: AT_FDCWD)
    return file.map { $0.device != nil } ?? true
  }

  /// Asks in the caller's control group, so what only that one refuses is left out.
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
      // The user who is asked about could have stopped or ended it, so this does not count as no check.
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
