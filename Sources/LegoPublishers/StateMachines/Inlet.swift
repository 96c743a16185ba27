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

/// What a state machine has decided about its upstreams, to be carried out without a lock.
@usableFromInline struct Orders: Sendable {
  @usableFromInline enum Order: Sendable {
    case request(any Subscription, Subscribers.Demand)
    case cancel(any Cancellable)
    /// Only frees it, which may run someone else's code.
    case drop(any Sendable)
  }

  @usableFromInline var first: Order?
  @usableFromInline var rest: [Order] = []
  /// Whether somebody is to be called, and not only freed.
  @usableFromInline var areCalls = false

  @inlinable init() {}

  @inlinable mutating func add(_ order: Order) {
    if first == nil { first = order } else { rest.append(order) }
    if case .drop = order { return }
    areCalls = true
  }

  /// Asks a subscription, if it is there and anything is wanted.
  @inlinable mutating func request(
    _ subscription: (any Subscription)?, _ demand: Subscribers.Demand
  ) {
    if let subscription, demand > .none { add(.request(subscription, demand)) }
  }

  @inlinable mutating func cancel(_ activity: (any Cancellable)?) {
    if let activity { add(.cancel(activity)) }
  }

  @inlinable mutating func drop(_ value: (any Sendable)?) {
    if let value { add(.drop(value)) }
  }

  @inlinable func carryOut() {
    if let first { Self.carryOut(first) }
    for order in rest { Self.carryOut(order) }
  }

  @inlinable static func carryOut(_ order: Order) {
    switch order {
    case .request(let subscription, let demand): subscription.request(demand)
    case .cancel(let activity): activity.cancel()
    case .drop: break
    }
  }
}
