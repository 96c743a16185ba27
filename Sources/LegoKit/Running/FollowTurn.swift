internal import Synchronization

/// Takes the designs that an effect follows, in their order and one at a time.
///
/// A design that comes while another is taken waits.
final class FollowTurn<Design: Sendable>: Sendable {
  private struct State: Sendable {
    /// The number of the change that made the newest design.
    var newest: UInt64?
    var waiting: [(number: UInt64, design: Design)] = []
    var isTaking = false

    /// The next one to take; if there is none, the taking ends.
    mutating func next() -> (number: UInt64, design: Design)? {
      isTaking = !waiting.isEmpty
      return isTaking ? waiting.removeFirst() : nil
    }
  }

  private let state = Mutex(State())
  private let take: @Sendable (UInt64, Design) -> Void

  init(_ take: @escaping @Sendable (UInt64, Design) -> Void) {
    self.take = take
  }

  /// Takes the design that a change made, unless a newer one came before.
  func submit(_ number: UInt64, _ design: Design) {
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
