/// An upstream in the state of an operator: one subscription, attached once and given back once.
struct SubscriptionSlot: Sendable {
  enum State: Sendable {
    case waiting
    case open(any Subscription)
    case ended
  }

  var state = State.waiting

  /// The subscription, while values may come from it.
  var subscription: (any Subscription)? {
    if case .open(let subscription) = state { subscription } else { nil }
  }

  var isEnded: Bool {
    if case .ended = state { true } else { false }
  }

  /// Keeps a subscription, or has it cancelled when there is one or the end has come.
  ///
  /// - Returns: Whether it was kept.
  mutating func attach(_ subscription: any Subscription, _ calls: inout PendingCalls)
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
  mutating func end(_ calls: inout PendingCalls) -> Bool {
    guard case .open(let subscription) = state else { return false }
    calls.release(subscription)
    state = .ended
    return true
  }

  /// Has the subscription cancelled.
  mutating func cancel(_ calls: inout PendingCalls) {
    calls.cancel(subscription)
    state = .ended
  }
}

/// What a state machine has decided about its upstreams, to be carried out without a lock.
struct PendingCalls: Sendable {
  enum Call: Sendable {
    case request(any Subscription, Subscribers.Demand)
    case cancel(any Cancellable)
    /// Only frees it, which may run someone else's code.
    case release(any Sendable)
  }

  var first: Call?
  var rest: [Call] = []
  /// Whether somebody is to be called, and not only freed.
  var hasCalls = false

  mutating func add(_ order: Call) {
    if first == nil { first = order } else { rest.append(order) }
    if case .release = order { return }
    hasCalls = true
  }

  /// Asks a subscription, if it is there and anything is wanted.
  mutating func request(
    _ subscription: (any Subscription)?, _ demand: Subscribers.Demand
  ) {
    if let subscription, demand > .none { add(.request(subscription, demand)) }
  }

  mutating func cancel(_ activity: (any Cancellable)?) {
    if let activity { add(.cancel(activity)) }
  }

  mutating func release(_ value: (any Sendable)?) {
    if let value { add(.release(value)) }
  }

  func perform() {
    if let first { Self.perform(first) }
    for order in rest { Self.perform(order) }
  }

  static func perform(_ order: Call) {
    switch order {
    case .request(let subscription, let demand): subscription.request(demand)
    case .cancel(let activity): activity.cancel()
    case .release: break
    }
  }
}
