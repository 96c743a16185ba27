/// An upstream in the state of an operator: one subscription, attached once and given back once.
@usableFromInline struct Inlet: Sendable {
  @usableFromInline enum State: Sendable {
    case waiting
    case open(any Subscription)
    case ended
  }

  @usableFromInline var state = State.waiting

  @inlinable init() {}

  /// The subscription, while values may come from it.
  @inlinable var subscription: (any Subscription)? {
    if case .open(let subscription) = state { subscription } else { nil }
  }

  @inlinable var isEnded: Bool {
    if case .ended = state { true } else { false }
  }

  /// Keeps a subscription, or has it cancelled when there is one or the end has come.
  ///
  /// - Returns: Whether it was kept.
  @inlinable mutating func attach(_ subscription: any Subscription, _ orders: inout Orders) -> Bool
  {
    guard case .waiting = state else {
      orders.cancel(subscription)
      return false
    }
    state = .open(subscription)
    return true
  }

  /// Lets go of the subscription because upstream has ended.
  ///
  /// - Returns: Whether this was its end; what ends before it was connected does not count.
  @inlinable mutating func end(_ orders: inout Orders) -> Bool {
    guard case .open(let subscription) = state else { return false }
    orders.drop(subscription)
    state = .ended
    return true
  }

  /// Has the subscription cancelled.
  @inlinable mutating func cancel(_ orders: inout Orders) {
    orders.cancel(subscription)
    state = .ended
  }
}
