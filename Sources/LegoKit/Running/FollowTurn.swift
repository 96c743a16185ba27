public import Synchronization

/// Takes the designs that an effect follows, in their order and one at a time.
///
/// A design that comes while another is taken waits.
@usableFromInline final class FollowTurn<Design: Sendable>: Sendable {
  @usableFromInline struct State: Sendable {
    /// The number of the change that made the newest design.
    @usableFromInline var newest: UInt64?
    @usableFromInline var waiting: [(number: UInt64, design: Design)] = []
    @usableFromInline var isTaking = false

    @inlinable init() {}

    /// The next one to take; if there is none, the taking ends.
    @inlinable mutating func next() -> (number: UInt64, design: Design)? {
      isTaking = !waiting.isEmpty
      return isTaking ? waiting.removeFirst() : nil
    }
  }

  @usableFromInline let state = Mutex(State())
  @usableFromInline let take: @Sendable (UInt64, Design) -> Void

  @inlinable init(_ take: @escaping @Sendable (UInt64, Design) -> Void) {
    self.take = take
  }

  /// Takes the design that a change made, unless a newer one came before.
  @inlinable func submit(_ number: UInt64, _ design: Design) {
    let isTaker = state.withLock { state in
      if let newest = state.newest, newest >= number { return false }
      state.newest = number
      guard !state.isTaking else {
        state.waiting.append((number, design))
        return false
      }
      state.isTaking = true
      return true
    }
    guard isTaker else { return }
    take(number, design)
    while let next = state.withLock({ $0.next() }) { take(next.number, next.design) }
  }
}
