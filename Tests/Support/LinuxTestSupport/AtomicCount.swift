import Synchronization

/// A counter that threads can share.
package final class AtomicCount: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  package var value: Int { count.load(ordering: .relaxed) }

  package func add() { count.add(1, ordering: .relaxed) }
}
