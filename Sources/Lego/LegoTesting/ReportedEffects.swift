internal import Synchronization

/// The numbers of the effects that have already been reported, so that each effect is reported only
/// once.
final class ReportedEffects: Sendable {
  private let numbers = Mutex<Set<UInt64>>([])

  /// Adds the number of an effect.
  ///
  /// - Returns: `true` if the number is new; otherwise, `false`.
  func insert(_ number: UInt64) -> Bool {
    numbers.withLock { $0.insert(number).inserted }
  }
}
