internal import Glibc

/// What is wrong with one store, as the clause after its name.
struct SecretProblem: Error, Hashable, Sendable {
  let code: SecretCode
  let reason: String

  init(_ code: SecretCode, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// A system call that failed.
  ///
  /// - Parameter errno: The number of the error, of either sign.
  init(_ code: SecretCode, _ what: String, errno: Int32) {
    self.init(code, unsafe "\(what): \(String(cString: strerror(abs(errno))))")
  }
}
