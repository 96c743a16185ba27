public import Synchronization

/// The connection of a subscriber with a publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Asks for more values, beside those asked for before.
  func request(_ demand: Subscribers.Demand)
}

/// The namespace of ready-made subscriptions.
public enum Subscriptions {}

extension Subscriptions {
  /// A subscription that has nothing to give and nothing to cancel.
  public static var empty: any Subscription { EmptySubscription() }
}

/// The subscription behind ``Subscriptions/empty``.
struct EmptySubscription: Subscription {
  let combineIdentifier = CombineIdentifier()
  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

/// A subscription made of two closures.
///
/// Behind a protocol, a generic class runs code that is compiled for any type, which looks types up
/// at each step and costs a hundred times as much. A closure keeps the code that was compiled for
/// the types where it was written.
@usableFromInline final class ClosureSubscription: Subscription {
  @usableFromInline let onRequest: @Sendable (Subscribers.Demand) -> Void
  @usableFromInline let onCancel: @Sendable () -> Void

  @inlinable init(
    request: @escaping @Sendable (Subscribers.Demand) -> Void,
    cancel: @escaping @Sendable () -> Void
  ) {
    onRequest = request
    onCancel = cancel
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) { onRequest(demand) }

  @usableFromInline func cancel() { onCancel() }
}

/// The upstream end of a subscriber: one subscription, attached once and given back once.
@usableFromInline package struct SubscriptionLink: ~Copyable, Sendable {
  @usableFromInline enum State: Sendable {
    case waiting(Subscribers.Demand)
    case attached(any Subscription)
    case ended
  }

  @inlinable package init() {}

  @usableFromInline let state = Mutex(State.waiting(.none))

  /// Keeps the subscription, or cancels it when there is one already or the end has come.
  ///
  /// - Returns: Whether it was kept.
  @inlinable package borrowing func attach(_ subscription: any Subscription) -> Bool {
    let asked: Subscribers.Demand? = state.withLock { state in
      guard case .waiting(let demand) = state else { return nil }
      state = .attached(subscription)
      return demand
    }
    guard let asked else {
      subscription.cancel()
      return false
    }
    if asked > .none { subscription.request(asked) }
    return true
  }

  /// Passes demand on, at once or when a subscription comes.
  @inlinable package borrowing func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let subscription: (any Subscription)? = state.withLock { state in
      switch state {
      case .waiting(let earlier):
        state = .waiting(earlier + demand)
        return nil
      case .attached(let subscription): return subscription
      case .ended: return nil
      }
    }
    subscription?.request(demand)
  }

  /// Whether values may still come.
  @inlinable package var isOpen: Bool {
    state.withLock { state in
      if case .ended = state { false } else { true }
    }
  }

  /// Forgets the subscription because upstream has ended.
  ///
  /// - Returns: Whether this was the first end.
  @discardableResult
  @inlinable package borrowing func end() -> Bool {
    // The old value is freed outside the lock: freeing may run a stranger's code.
    let old = exchange()
    if case .ended = old { return false }
    return true
  }

  /// Cancels the subscription.
  ///
  /// - Returns: Whether this was the first end.
  @discardableResult
  @inlinable package borrowing func cancel() -> Bool {
    switch exchange() {
    case .ended: return false
    case .waiting: return true
    case .attached(let subscription):
      subscription.cancel()
      return true
    }
  }

  @inlinable borrowing func exchange() -> State {
    state.withLock { state in
      defer { state = .ended }
      return state
    }
  }
}
