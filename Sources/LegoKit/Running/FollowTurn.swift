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
    var next = state.withLock { state -> (number: UInt64, design: Design)? in
      if let newest = state.newest, newest >= number { return nil }
      state.newest = number
      state.waiting.append((number, design))
      return state.isTaking ? nil : state.next()
    }
    while let (number, design) = next {
      take(number, design)
      next = state.withLock { $0.next() }
    }
  }
}
