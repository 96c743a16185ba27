internal import Synchronization

/// The numbers of the effects that were reported to a test, which reports each of them once.
final class ReportedEffects: Sendable {
  private let numbers = Mutex<Set<UInt64>>([])

  /// Adds a number.
  ///
  /// - Returns: `true` if it is new.
  func insert(_ number: UInt64) -> Bool {
    numbers.withLock { $0.insert(number).inserted }
  }
}
