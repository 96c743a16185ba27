public import Synchronization

extension Subscribers {
  /// A subscriber that asks for everything and hands it to closures.
  ///
  /// It frees both closures when the publisher ends or the sink is cancelled.
  public final class Sink<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
    @usableFromInline final class Handlers: Sendable {
      @usableFromInline let value: @Sendable (Input) -> Void
      @usableFromInline let completion: @Sendable (Completion<Failure>) -> Void

      @inlinable init(
        value: @escaping @Sendable (Input) -> Void,
        completion: @escaping @Sendable (Completion<Failure>) -> Void
      ) {
        self.value = value
        self.completion = completion
      }
    }

    @usableFromInline let handlers: Mutex<Handlers?>
    @usableFromInline let link = SubscriptionLink()

    /// Creates a sink.
    @inlinable public init(
      receiveCompletion: @escaping @Sendable (Completion<Failure>) -> Void,
      receiveValue: @escaping @Sendable (Input) -> Void
    ) {
      handlers = Mutex(Handlers(value: receiveValue, completion: receiveCompletion))
    }

    /// Asks for everything.
    @inlinable public func receive(subscription: any Subscription) {
      if link.attach(subscription) { subscription.request(.unlimited) }
    }

    /// Hands the value to the closure.
    @inlinable public func receive(_ input: Input) -> Demand {
      handlers.withLock { $0 }?.value(input)
      return .none
    }

    /// Hands the end to the closure.
    @inlinable public func receive(completion: Completion<Failure>) {
      link.end()
      takeHandlers()?.completion(completion)
    }

    /// Stops receiving.
    @inlinable public func cancel() {
      _ = takeHandlers()
      link.cancel()
    }

    @inlinable func takeHandlers() -> Handlers? {
      handlers.withLock { handlers in
        defer { handlers = nil }
        return handlers
      }
    }
  }
}

extension Publisher {
  /// Hands every value, and the end, to closures, until the token is cancelled or freed.
  @inlinable public func sink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    receive(subscriber: sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Hands every value to a closure, until the token is cancelled or freed.
  @inlinable public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
