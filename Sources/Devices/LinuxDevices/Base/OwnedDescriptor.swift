internal import AccessModel
internal import Glibc

/// A file descriptor that is closed when its owner is destroyed.
struct OwnedDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes ownership of the descriptor that a shim returned, or throws its `-errno`.
  init(negated result: Int32) throws(Errno) {
    number = try Errno.check(negated: result)
  }

  /// Takes ownership of the descriptor that a system call returned, or throws the current error.
  init(_ result: Int32) throws(Errno) {
    number = try Errno.check(result)
  }

  deinit { close(number) }
}
