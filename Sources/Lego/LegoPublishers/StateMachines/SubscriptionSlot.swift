/// An operator's subscription to one of its upstreams.
///
/// A subscription can be attached once and ended once.
struct SubscriptionSlot: Sendable {
  private enum State: Sendable {
    case waiting
    case open(any Subscription)
    case ended
  }

  private var state = State.waiting

  /// The subscription, or `nil` before it is attached and after it has ended.
  var subscription: (any Subscription)? {
    if case .open(let subscription) = state { subscription } else { nil }
  }

  /// A Boolean value that indicates whether a subscription is attached and has not ended.
  ///
  /// Unlike a comparison of ``subscription`` with `nil`, it does not retain the subscription.
  var isOpen: Bool {
    if case .open = state { true } else { false }
  }

  var isEnded: Bool {
    if case .ended = state { true } else { false }
  }

  /// Stores a subscription.
  ///
  /// If a subscription has already been attached, or if the slot has been cancelled, the new
  /// subscription is cancelled instead.
  ///
  /// - Returns: `true` if the subscription was stored.
  mutating func attach(_ subscription: any Subscription, _ calls: inout PendingCalls) -> Bool {
    guard case .waiting = state else {
      calls.cancel(subscription)
      return false
    }
    state = .open(subscription)
    return true
  }

  /// Releases the subscription after the upstream has ended.
  ///
  /// - Returns: `false` if there was no active subscription.
  mutating func end(_ calls: inout PendingCalls) -> Bool {
    guard case .open(let subscription) = state else { return false }
    calls.release(subscription)
    state = .ended
    return true
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    calls.cancel(subscription)
    state = .ended
  }
}

/// The calls to make to upstreams after the lock is released.
@usableFromInline struct PendingCalls: Sendable {
  private enum Call: Sendable {
    case request(any Subscription, Subscribers.Demand)
    case cancel(any Cancellable)
    /// Keeps a value alive until the lock is released, because its deinitializer can run client
    /// code.
    case release(any Sendable)
  }

  private var first: Call?
  private var rest: [Call] = []
  /// A Boolean value that indicates whether there are calls other than releases.
  @usableFromInline private(set) var hasCalls = false

  @usableFromInline init() {}

  private mutating func add(_ call: Call) {
    if first == nil { first = call } else { rest.append(call) }
    if case .release = call { return }
    hasCalls = true
  }

  mutating func request(_ subscription: (any Subscription)?, _ demand: Subscribers.Demand) {
    if let subscription, demand > .none { add(.request(subscription, demand)) }
  }

  mutating func cancel(_ activity: (any Cancellable)?) {
    if let activity { add(.cancel(activity)) }
  }

  mutating func release(_ value: (any Sendable)?) {
    if let value { add(.release(value)) }
  }

  @usableFromInline func perform() {
    if let first { Self.perform(first) }
    for call in rest { Self.perform(call) }
  }

  private static func perform(_ call: Call) {
    switch call {
    case .request(let subscription, let demand): subscription.request(demand)
    case .cancel(let activity): activity.cancel()
    case .release: break
    }
  }
}
