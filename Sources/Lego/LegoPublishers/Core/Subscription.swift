internal import Synchronization

/// The connection between a subscriber and a publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests more values, in addition to those already requested.
  func request(_ demand: Subscribers.Demand)
}

/// A namespace for ready-made subscriptions.
public enum Subscriptions {}

extension Subscriptions {
  /// A subscription that ignores requests and cancellation.
  public static var empty: any Subscription { EmptySubscription() }
}

/// The implementation of ``Subscriptions/empty``.
struct EmptySubscription: Subscription {
  let combineIdentifier = CombineIdentifier()
  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

/// A subscription that forwards requests and cancellation to closures.
///
/// When a method of a generic class is called through a protocol, it runs unspecialized code, which
/// looks up type metadata at each step and takes about a hundred times as long. A closure runs code
/// that was specialized where the closure was written.
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

/// Holds the upstream subscription of a subscriber behind a lock.
///
/// The subscription can be attached once and ended once.
@usableFromInline struct SubscriptionLink: ~Copyable, Sendable {
  // This type is not private, because Swift 6.3.1 would otherwise crash when compiling files that
  // destroy the struct.
  enum State: Sendable {
    case waiting(Subscribers.Demand)
    case attached(any Subscription)
    case ended
  }

  let state = Mutex(State.waiting(.none))

  @usableFromInline init() {}

  /// Stores a subscription, and forwards any accumulated demand to it.
  ///
  /// If a subscription has already been attached, or if the link has ended, the new subscription is
  /// cancelled instead.
  ///
  /// - Returns: `true` if the subscription was stored.
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

  /// Requests values from the subscription, or remembers the demand until a subscription is
  /// attached.
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

  /// Releases the subscription after the upstream publisher has ended.
  @usableFromInline borrowing func end() {
    // The old state is released outside the lock, because a deinitializer can run client code.
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
