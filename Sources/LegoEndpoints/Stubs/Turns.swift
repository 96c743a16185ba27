internal import Synchronization

/// Counts from zero, a number a caller.
final class Turns: Sendable {
  private let next = Atomic(0)

  func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
}
