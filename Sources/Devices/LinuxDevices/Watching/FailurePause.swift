internal import Glibc

/// Delays the repetition of an operation that fails immediately, so as not to use a whole
/// processor.
enum FailurePause {
  /// The length of the pause in microseconds.
  private static let length: UInt32 = 100_000

  /// Blocks the thread for a tenth of a second.
  static func wait() { usleep(length) }
}
