internal import Glibc

/// A file descriptor that closes with its owner.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes over a descriptor.
  init(adopting number: Int32) {
    self.number = number
  }

  deinit { close(number) }

  /// Opens a name in a directory; the descriptor is not inherited by other programs.
  ///
  /// A symbolic link is followed only where that is said.
  static func open(
    _ name: String, in directory: Int32, _ flags: Int32, mode: mode_t = 0,
    followsLinks: Bool = false
  ) throws(SystemFailure) -> Descriptor {
    let all = flags | O_CLOEXEC | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
    return Descriptor(
      adopting: try SystemFailure.check("open") { unsafe openat(directory, name, all, mode) })
  }

  /// What the open file is.
  borrowing func status() throws(SystemFailure) -> stat {
    var status = stat()
    try SystemFailure.check("fstat") { unsafe fstat(number, &status) }
    return status
  }
}
