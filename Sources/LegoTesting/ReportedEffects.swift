internal import Synchronization

/// The numbers of the effects that a test was told of, so that it is told once.
final class ReportedEffects: Sendable {
  private let numbers = Mutex<Set<UInt64>>([])

  /// Adds a number.
  ///
  /// - Returns: Whether it is new.
  func insert(_ number: UInt64) -> Bool {
    numbers.withLock { $0.insert(number).inserted }
  }
}
