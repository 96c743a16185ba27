internal import AccessModel
internal import Glibc

/// A file descriptor that closes with its owner.
struct OwnedDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes over what a shim returned: a descriptor, or `-errno`.
  init(negated result: Int32) throws(Errno) {
    number = try Errno.check(negated: result)
  }

  /// Takes over what a system call returned: a descriptor, or -1 and `errno`.
  init(_ result: Int32) throws(Errno) {
    number = try Errno.check(result)
  }

  deinit { close(number) }
}
