internal import AccessModel
internal import CLinux
internal import Glibc

/// A periodic timer, for changes that cause no event.
enum PollTimer {
  /// Returns a source that calls a closure after each interval, which is at least one millisecond.
  ///
  /// - Throws: `EMFILE` if no descriptor is available, or the error that a seccomp filter returns.
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
