internal import Glibc

/// The time of a processor that the calling thread has used.
///
/// A look that waits for a slow server, or for its turn on a busy machine, takes nothing from others.
enum ThreadTime {
  /// Since the thread began.
  static var now: Duration {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
