/// An upstream in the state of an operator: one subscription, attached once and given back once.
@usableFromInline struct SubscriptionSlot: Sendable {
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
  @inlinable mutating func attach(_ subscription: any Subscription, _ calls: inout PendingCalls)
    -> Bool
  {
    guard case .waiting = state else {
      calls.cancel(subscription)
      return false
    }
    state = .open(subscription)
    return true
  }

  /// Lets go of the subscription because upstream has ended.
  ///
  /// - Returns: Whether this was its end; what ends before it was connected does not count.
  @inlinable mutating func end(_ calls: inout PendingCalls) -> Bool {
    guard case .open(let subscription) = state else { return false }
    calls.release(subscription)
    state = .ended
    return true
  }

  /// Has the subscription cancelled.
  @inlinable mutating func cancel(_ calls: inout PendingCalls) {
    calls.cancel(subscription)
    state = .ended
  }
}

/// What a state machine has decided about its upstreams, to be carried out without a lock.
@usableFromInline struct PendingCalls: Sendable {
  @usableFromInline enum Call: Sendable {
    case request(any Subscription, Subscribers.Demand)
    case cancel(any Cancellable)
    /// Only frees it, which may run someone else's code.
    case release(any Sendable)
  }

  @usableFromInline var first: Call?
  @usableFromInline var rest: [Call] = []
  /// Whether somebody is to be called, and not only freed.
  @usableFromInline var hasCalls = false

  @inlinable init() {}

  @inlinable mutating func add(_ order: Call) {
    if first == nil { first = order } else { rest.append(order) }
    if case .release = order { return }
    hasCalls = true
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

  @inlinable mutating func release(_ value: (any Sendable)?) {
    if let value { add(.release(value)) }
  }

  @inlinable func perform() {
    if let first { Self.perform(first) }
    for order in rest { Self.perform(order) }
  }

  @inlinable static func perform(_ order: Call) {
    switch order {
    case .request(let subscription, let demand): subscription.request(demand)
    case .cancel(let activity): activity.cancel()
    case .release: break
    }
  }
}
