internal import Glibc

/// The processor time of the calling thread.
///
/// Unlike elapsed time, it does not include waiting for a slow server or for a busy processor.
enum ThreadTime {
  /// The processor time since the thread started.
  static var now: Duration {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
