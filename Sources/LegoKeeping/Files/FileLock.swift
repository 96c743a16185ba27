internal import Glibc

/// A lock between programs, and between stores of one program (flock(2)).
struct FileLock: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Opens the lock without taking it.
  init(_ name: String, in directory: Int32) throws(SystemFailure) {
    descriptor = try Descriptor.open(
      name, in: directory, O_RDWR | O_CREAT | O_NONBLOCK, mode: 0o600)
  }

  /// Takes the lock, if it is free or becomes free within a time.
  ///
  /// - Parameter milliseconds: How long to wait. Waiting without an end would let one stopped
  ///   program stop all others.
  /// - Returns: Whether it was taken.
  borrowing func take(within milliseconds: Int) throws(SystemFailure) -> Bool {
    var waited = 0
    var pause = 1
    while true {
      if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 { return true }
      let failure = SystemFailure.current("flock")
      if failure.errno == EINTR { continue }
      guard failure.errno == EWOULDBLOCK else { throw failure }
      guard waited < milliseconds else { return false }
      usleep(UInt32(pause) * 1_000)
      waited += pause
      pause = min(pause * 2, 50)
    }
  }

  borrowing func release() {
    _ = flock(descriptor.number, LOCK_UN)
  }
}
