import Synchronization

/// Where values end: as cheap as anything that two threads may share.
final class Tally: Sendable {
  private let sum = Atomic(0)

  var value: Int { sum.load(ordering: .relaxed) }

  func add(_ number: Int) {
    sum.store(sum.load(ordering: .relaxed) &+ number, ordering: .relaxed)
  }
}
