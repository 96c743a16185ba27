import Glibc
import Synchronization

/// Records the time of the latest event.
final class Moments: Sendable {
  private let moment = Mutex<ContinuousClock.Instant?>(nil)

  /// Records the current time.
  func note() { moment.withLock { $0 = .now } }

  /// Discards the recorded time.
  func clear() { moment.withLock { $0 = nil } }

  /// Waits for a time to be recorded; returns `nil` after ten seconds.
  func wait() -> ContinuousClock.Instant? {
    let end = ContinuousClock.now.advanced(by: .seconds(10))
    while ContinuousClock.now < end {
      if let moment = moment.withLock({ $0 }) { return moment }
      // Poll rarely, because polling takes a processor from the other threads. One interval is
      // usually enough.
      usleep(2000)
    }
    return nil
  }
}
