internal import Synchronization

/// What an operator asks for more and cancels, whatever it sends and however it fails.
protocol Source: Cancellable {
  func request(_ demand: Subscribers.Demand)
}

/// The upstream end of an operator: a subscriber made of closures, which it frees at the end.
final class UpstreamSubscriber<Input: Sendable, Failure: Error>: Subscriber, Source {
  private struct Handlers: Sendable {
    let value: @Sendable (Input) -> Void
    let completion: @Sendable (Subscribers.Completion<Failure>) -> Void
  }

  private let handlers: Mutex<Handlers?>
  private let link = SubscriptionLink()

  init(
    value: @escaping @Sendable (Input) -> Void,
    completion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void
  ) {
    handlers = Mutex(Handlers(value: value, completion: completion))
  }

  func request(_ demand: Subscribers.Demand) { link.request(demand) }

  func receive(subscription: any Subscription) { _ = link.attach(subscription) }

  func receive(_ input: Input) -> Subscribers.Demand {
    handlers.withLock { $0 }?.value(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    link.end()
    take()?.completion(completion)
  }

  func cancel() {
    _ = take()
    link.cancel()
  }

  private func take() -> Handlers? {
    handlers.withLock { handlers in
      defer { handlers = nil }
      return handlers
    }
  }
}
