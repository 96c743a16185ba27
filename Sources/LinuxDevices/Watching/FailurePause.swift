internal import Glibc

/// What keeps something that fails at once, again and again, from taking a whole processor.
enum FailurePause {
  /// In microseconds.
  private static let length: UInt32 = 100_000

  /// Waits a tenth of a second.
  static func wait() { usleep(length) }
}
