internal import Glibc

/// A system call that failed.
struct SystemFailure: Error, Hashable, CustomStringConvertible {
  let call: String
  let errno: Int32

  /// The failure of the last call on this thread; to be made in the expression after it.
  static func current(_ call: String) -> SystemFailure {
    SystemFailure(call: call, errno: Glibc.errno)
  }

  var description: String { unsafe "\(String(cString: strerror(errno))) (\(call))" }

  /// Calls the system until no signal interrupts it.
  ///
  /// - Throws: The failure, when the result is -1.
  /// - Returns: The result.
  @discardableResult
  static func check<Result: SignedInteger>(
    _ call: String, _ body: () -> Result
  ) throws(SystemFailure) -> Result {
    while true {
      let result = body()
      if result != -1 { return result }
      let failure = current(call)
      if failure.errno != EINTR { throw failure }
    }
  }

  /// Whether the process or the system lacks what looking takes, so that nothing was found out.
  var isOfResources: Bool { [EMFILE, ENFILE, ENOMEM, EAGAIN].contains(errno) }
}
