import Synchronization

/// A cheap consumer of values that threads can share.
final class Tally: Sendable {
  private let sum = Atomic(0)

  var value: Int { sum.load(ordering: .relaxed) }

  func add(_ number: Int) {
    sum.store(sum.load(ordering: .relaxed) &+ number, ordering: .relaxed)
  }
}
