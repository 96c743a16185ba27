internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Reports when the system has slept.
///
/// The kernel reports each change to the real-time clock, which includes resuming from sleep.
/// Comparing a clock that counts the time asleep with one that does not shows whether the system
/// slept.
enum SleepWatch {
  /// The minimum duration in milliseconds; a shorter difference may arise between reading the two
  /// clocks.
  private static let shortest: Int64 = 50

  /// Returns a source that calls a closure after each sleep.
  ///
  /// - Parameters:
  ///   - slept: Returns the total time in milliseconds that the system has slept since boot.
  ///   - body: The closure.
  /// - Returns: The source.
  /// - Throws: `EMFILE` if no descriptor is available, or the error that a seccomp filter returns.
  static func source(
    slept: @escaping @Sendable () -> Int64 = { clinux_slept() },
    _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> DescriptorSource {
    let before = Atomic<Int64>(slept())
    let timer = try OwnedDescriptor(negated: clinux_clock_jumps())
    return DescriptorSource(timer, interest: CLINUX_READABLE) { descriptor, _ in
      var count: UInt64 = 0
      _ = unsafe read(descriptor, &count, 8)
      let now = slept()
      if now - before.exchange(now, ordering: .relaxed) >= shortest { body() }
      return true
    }
  }
}
