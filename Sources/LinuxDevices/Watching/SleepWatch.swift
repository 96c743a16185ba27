internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Tells when the system has slept.
///
/// The kernel reports each jump of the real-time clock, which waking up is one of; whether the
/// system slept is told by the clock that goes on meanwhile.
enum SleepWatch {
  /// A wait shorter than this can be that of a thread between two looks at clocks.
  private static let shortest: Int64 = 50

  /// The source that calls `body` after each sleep.
  ///
  /// - Parameters:
  ///   - slept: For how many milliseconds the system has slept since it was started.
  ///   - body: What to do.
  /// - Throws: `EMFILE`, and what a filter of system calls answers.
  /// - Returns: The source.
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
