internal import Synchronization

/// Takes the designs that an effect follows, in their order and one at a time.
///
/// A design that comes while another is taken waits, and only the newest that waits counts.
final class FollowTurn<B: Blueprint>: Sendable {
  private struct State: Sendable {
    /// The number of the change that made the newest design.
    var number: UInt64?
    var design: B.Design?
    var isTaking = false

    mutating func next() -> B.Design? {
      isTaking = design != nil
      return design.take()
    }
  }

  private let state = Mutex(State())
  private let take: @Sendable (B.Design) -> Void

  init(_ take: @escaping @Sendable (B.Design) -> Void) {
    self.take = take
  }

  /// Takes the design that a change made, unless a newer one came before.
  func submit(_ number: UInt64, _ design: B.Design) {
    var next: B.Design? = state.withLock { state in
      if let newest = state.number, newest >= number { return nil }
      state.number = number
      state.design = design
      return state.isTaking ? nil : state.next()
    }
    while let design = next {
      take(design)
      next = state.withLock { $0.next() }
    }
  }
}
