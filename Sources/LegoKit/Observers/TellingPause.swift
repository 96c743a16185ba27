internal import Synchronization

/// How long an observer that skips designs has been told none.
final class TellingPause: Sendable {
  /// The longest pause while designs keep coming.
  private static let longest = Duration.milliseconds(100)

  private let began = Mutex(ContinuousClock.now)

  init() {}

  /// Whether the next design has to be told although a newer one is there.
  var isTooLong: Bool { began.withLock { $0.duration(to: .now) > Self.longest } }

  /// Begins a pause, once the observer has been told.
  func begin() {
    began.withLock { $0 = .now }
  }
}
