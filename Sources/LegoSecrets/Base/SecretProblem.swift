internal import Glibc

/// What is wrong with one store, as the clause after its name.
struct SecretProblem: Error, Hashable, Sendable {
  let code: SecretCode
  let reason: String
  /// Whether something went away between two steps, so that trying again can help.
  let isPassing: Bool

  init(_ code: SecretCode, _ reason: String, passing isPassing: Bool = false) {
    self.code = code
    self.reason = reason
    self.isPassing = isPassing
  }

  /// A system call that failed, with the number of its error, of either sign.
  init(_ code: SecretCode, _ what: String, errno: Int32) {
    self.init(code, unsafe "\(what): \(String(cString: strerror(abs(errno))))")
  }
}
