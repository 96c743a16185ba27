import Glibc
import Synchronization

/// When something was seen for the last time, by whoever sees it first.
final class Moments: Sendable {
  private let moment = Mutex<ContinuousClock.Instant?>(nil)

  /// Keeps this moment.
  func note() { moment.withLock { $0 = .now } }

  /// Forgets it.
  func clear() { moment.withLock { $0 = nil } }

  /// The moment, once there is one; `nil` when there is none after ten seconds.
  func wait() -> ContinuousClock.Instant? {
    let end = ContinuousClock.now.advanced(by: .seconds(10))
    while ContinuousClock.now < end {
      if let moment = moment.withLock({ $0 }) { return moment }
      // Most often it is there by then: to look more often keeps a processor from the others.
      usleep(2000)
    }
    return nil
  }
}
