internal import Glibc
internal import Synchronization

/// The way from a signal handler, which may do almost nothing, to the rest of the program.
///
/// It is made once and never closed, since a handler may just be about to use it.
enum SignalChannel {
  /// Where the numbers of the signals can be read; -1 when there are too few descriptors.
  static let reader: Int32 = {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { return -1 }
    writer.store(ends[1], ordering: .releasing)
    return ends[0]
  }()

  private static let writer = Atomic<Int32>(-1)

  /// Takes over a signal.
  ///
  /// - Returns: What the signal did before.
  static func take(_ signal: Int32) -> sigaction {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { signal in
      let before = errno
      var byte = UInt8(truncatingIfNeeded: signal)
      _ = unsafe write(SignalChannel.writer.load(ordering: .acquiring), &byte, 1)
      errno = before
    }
    action.sa_flags = SA_RESTART
    var before = sigaction()
    unsafe sigaction(signal, &action, &before)
    return before
  }

  /// The next signal that waits.
  static func next() -> Int32? {
    var byte: UInt8 = 0
    return unsafe read(reader, &byte, 1) == 1 ? Int32(byte) : nil
  }
}
