internal import Synchronization

extension Subscribers {
  /// A subscriber that asks for everything and hands it to closures.
  ///
  /// It frees both closures when the publisher ends or the sink is cancelled.
  public final class Sink<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
    private struct Handlers: Sendable {
      let value: @Sendable (Input) -> Void
      let completion: @Sendable (Completion<Failure>) -> Void
    }

    private let handlers: Mutex<Handlers?>
    private let link = SubscriptionLink()

    /// Creates a sink.
    public init(
      receiveCompletion: @escaping @Sendable (Completion<Failure>) -> Void,
      receiveValue: @escaping @Sendable (Input) -> Void
    ) {
      handlers = Mutex(Handlers(value: receiveValue, completion: receiveCompletion))
    }

    /// Asks for everything.
    public func receive(subscription: any Subscription) {
      if link.attach(subscription) { subscription.request(.unlimited) }
    }

    /// Hands the value to the closure.
    public func receive(_ input: Input) -> Demand {
      handlers.withLock { $0 }?.value(input)
      return .none
    }

    /// Hands the end to the closure.
    public func receive(completion: Completion<Failure>) {
      link.end()
      takeHandlers()?.completion(completion)
    }

    /// Stops receiving.
    public func cancel() {
      _ = takeHandlers()
      link.cancel()
    }

    private func takeHandlers() -> Handlers? {
      handlers.withLock { handlers in
        defer { handlers = nil }
        return handlers
      }
    }
  }
}

extension Publisher {
  /// Hands every value, and the end, to closures, until the token is cancelled or freed.
  public func sink(
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
  public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
