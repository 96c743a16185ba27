internal import Synchronization

/// The connection of a subscriber to a publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests values in addition to those requested before.
  func request(_ demand: Subscribers.Demand)
}

/// The namespace of ready-made subscriptions.
public enum Subscriptions {}

extension Subscriptions {
  /// A subscription that sends nothing and cancels nothing.
  public static var empty: any Subscription { EmptySubscription() }
}

/// The subscription behind ``Subscriptions/empty``.
struct EmptySubscription: Subscription {
  let combineIdentifier = CombineIdentifier()
  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

/// A subscription that consists of two closures.
///
/// Behind a protocol, a generic class runs code that is compiled for any type. That code looks up
/// types at each step, and takes a hundred times as long. A closure keeps the code that was
/// compiled for the types where the closure was written.
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

/// The upstream of a subscriber, behind a lock: one subscription, attached once and ended once.
@usableFromInline struct SubscriptionLink: ~Copyable, Sendable {
  // Not private, because Swift 6.3.1 then crashes while it compiles files that destroy the struct.
  enum State: Sendable {
    case waiting(Subscribers.Demand)
    case attached(any Subscription)
    case ended
  }

  let state = Mutex(State.waiting(.none))

  @usableFromInline init() {}

  /// Stores a subscription, or cancels it if there was one before or upstream has ended.
  ///
  /// - Returns: A Boolean value that indicates whether the subscription was stored.
  @usableFromInline borrowing func attach(_ subscription: any Subscription) -> Bool {
    let demand: Subscribers.Demand? = state.withLock { state in
      guard case .waiting(let demand) = state else { return nil }
      state = .attached(subscription)
      return demand
    }
    guard let demand else {
      subscription.cancel()
      return false
    }
    if demand > .none { subscription.request(demand) }
    return true
  }

  /// Passes on demand, at once or when there is a subscription.
  @usableFromInline borrowing func request(_ demand: Subscribers.Demand) {
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

  /// Releases the subscription because upstream has ended.
  @usableFromInline borrowing func end() {
    // The old value is freed outside the lock, because freeing can run code of the caller.
    let old = exchange()
    withExtendedLifetime(old) {}
  }

  @usableFromInline borrowing func cancel() {
    if case .attached(let subscription) = exchange() { subscription.cancel() }
  }

  borrowing func exchange() -> State {
    state.withLock { state in
      defer { state = .ended }
      return state
    }
  }
}
