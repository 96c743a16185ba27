internal import AccessModel
internal import CLinux
internal import Glibc

/// Looks again and again, where nothing tells when to.
enum PollTimer {
  /// The source that calls `body` after each interval, of at least a millisecond.
  ///
  /// - Throws: `EMFILE`, and what a filter of system calls answers.
  static func source(
    every interval: Duration, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> DescriptorSource {
    let (seconds, attoseconds) = max(interval, .milliseconds(1)).components
    let timer = try OwnedDescriptor(
      negated: clinux_timer(Int(clamping: seconds), Int(attoseconds / 1_000_000_000)))
    return DescriptorSource(timer, interest: CLINUX_READABLE) { descriptor, _ in
      var count: UInt64 = 0
      _ = unsafe read(descriptor, &count, 8)
      body()
      return true
    }
  }
}
