public import Synchronization

extension Subscribers {
  /// A subscriber that requests an unlimited number of values and passes them to a closure.
  ///
  /// The sink keeps its closures for as long as it exists. The token that `sink` returns releases
  /// the sink when the publisher ends.
  public final class Sink<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
    @usableFromInline let onValue: @Sendable (Input) -> Void
    @usableFromInline let onCompletion: @Sendable (Completion<Failure>) -> Void
    @usableFromInline let isOpen = Atomic(true)
    @usableFromInline let link = SubscriptionLink()
    /// The token that keeps the sink alive until the sink completes or is cancelled.
    @usableFromInline let retained = Mutex<SinkToken?>(nil)

    /// Creates a subscriber that calls the given closures.
    @preconcurrency @inlinable public init(
      receiveCompletion: @escaping @Sendable (Completion<Failure>) -> Void,
      receiveValue: @escaping @Sendable (Input) -> Void
    ) {
      onValue = receiveValue
      onCompletion = receiveCompletion
    }

    /// Requests an unlimited number of values.
    @inlinable public func receive(subscription: any Subscription) {
      if link.attach(subscription) { subscription.request(.unlimited) }
    }

    /// Passes the value to the closure.
    @inlinable public func receive(_ input: Input) -> Demand {
      if isOpen.load(ordering: .acquiring) { onValue(input) }
      return .none
    }

    /// Passes the completion to the closure.
    @inlinable public func receive(completion: Completion<Failure>) {
      link.end()
      if close() { onCompletion(completion) }
    }

    /// Cancels the subscription.
    @inlinable public func cancel() {
      _ = close()
      link.cancel()
    }

    /// Returns a token that keeps the sink alive until the sink completes or is cancelled.
    @inlinable func makeToken() -> AnyCancellable {
      let new = SinkToken(self)
      retained.withLock { $0 = new }
      // The publisher may have ended before the token was stored.
      if !isOpen.load(ordering: .acquiring) { release() }
      return AnyCancellable(new)
    }

    @inlinable func close() -> Bool {
      guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return false }
      release()
      return true
    }

    @inlinable func release() {
      let old = retained.withLock { retained in
        defer { retained = nil }
        return retained
      }
      old?.end()
    }
  }
}

extension Publisher {
  /// Attaches a subscriber that passes each value and the completion to closures.
  ///
  /// - Parameters:
  ///   - receiveCompletion: A closure that receives the completion.
  ///   - receiveValue: A closure that receives each value.
  /// - Returns: A token that ends the subscription when it is cancelled or deallocated.
  @preconcurrency @inlinable public func sink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    receive(subscriber: sink)
    return sink.makeToken()
  }
}

extension Publisher where Failure == Never {
  /// Attaches a subscriber that passes each value to a closure.
  ///
  /// - Parameter receiveValue: A closure that receives each value.
  /// - Returns: A token that ends the subscription when it is cancelled or deallocated.
  @preconcurrency @inlinable public func sink(receiveValue: @escaping @Sendable (Output) -> Void)
    -> AnyCancellable
  {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

/// Keeps a subscriber alive until the subscriber ends or is cancelled.
@usableFromInline final class SinkToken: Cancellable {
  private let subscriber: Mutex<(any Cancellable)?>

  @usableFromInline init(_ subscriber: any Cancellable) { self.subscriber = Mutex(subscriber) }

  @usableFromInline func cancel() { take()?.cancel() }

  /// Releases the subscriber after it has ended.
  @usableFromInline func end() { _ = take() }

  private func take() -> (any Cancellable)? {
    subscriber.withLock { subscriber in
      defer { subscriber = nil }
      return subscriber
    }
  }
}
