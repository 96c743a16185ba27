internal import Glibc

/// A lock between programs, and between stores of one program (flock(2)), which is held.
struct FileLock: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Takes the lock, if it is free or becomes free within a time.
  ///
  /// - Parameters:
  ///   - name: The file that is locked, which is made if it is missing.
  ///   - directory: The directory.
  ///   - milliseconds: How long to wait. Waiting without an end would let one stopped program stop
  ///     all others.
  /// - Throws: `EWOULDBLOCK` when it does not become free, and what keeps it from being opened.
  init(_ name: String, in directory: Int32, within milliseconds: Int) throws(SystemFailure) {
    let file = try Descriptor.open(name, in: directory, O_RDWR | O_CREAT | O_NONBLOCK, mode: 0o600)
    try Self.take(file.number, within: milliseconds)
    descriptor = file
  }

  private static func take(_ file: Int32, within milliseconds: Int) throws(SystemFailure) {
    var waited = 0
    var pause = 1
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let failure = SystemFailure.current("flock")
      if failure.errno == EINTR { continue }
      guard failure.errno == EWOULDBLOCK, waited < milliseconds else { throw failure }
      usleep(UInt32(pause) * 1_000)
      waited += pause
      pause = min(pause * 2, 50)
    }
  }

  /// Gives the lock back.
  consuming func release() {}
}
