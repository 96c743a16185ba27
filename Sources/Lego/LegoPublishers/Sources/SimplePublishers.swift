internal import Synchronization

/// A publisher that sends one value to each subscriber and finishes.
public struct Just<Output: Sendable>: Publisher {
  /// The publisher cannot fail.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Creates a publisher of one value.
  public init(_ output: Output) { self.output = output }

  /// Connects a subscriber.
  public func receive(subscriber: some Subscriber<Output, Never>) {
    OnceSubscription.connect(.success(output), to: subscriber)
  }

  /// Hides the type of this publisher, without an allocation.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Never> {
    AnyPublisher(storage: .ready(output))
  }
}

extension Just: Equatable where Output: Equatable {}

/// A publisher that sends no value, and finishes at once or never.
public struct Empty<Output: Sendable, Failure: Error>: Publisher, Equatable {
  /// A Boolean value that indicates whether the publisher finishes at once.
  public let completeImmediately: Bool

  /// Creates a publisher that sends no value.
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// Creates a publisher that sends no value, with explicit types.
  public init(
    completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type
  ) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Connects a subscriber.
  public func receive(subscriber: some Subscriber<Output, Failure>) {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }

  /// Hides the type of this publisher, without an allocation.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(storage: .empty(completes: completeImmediately))
  }
}

/// A publisher that fails at once.
public struct Fail<Output: Sendable, Failure: Error>: Publisher {
  /// The failure.
  public let error: Failure

  /// Creates a publisher that fails.
  public init(error: Failure) { self.error = error }

  /// Creates a publisher that fails, with an explicit output type.
  public init(outputType: Output.Type, failure: Failure) {
    self.init(error: failure)
  }

  /// Connects a subscriber.
  public func receive(subscriber: some Subscriber<Output, Failure>) {
    OnceSubscription.connect(.failure(error), to: subscriber)
  }
}

extension Fail: Equatable where Failure: Equatable {}

extension Result where Success: Sendable {
  /// A publisher of this result.
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that sends the value of a result and finishes, or fails with its error.
  public struct Publisher: LegoPublishers.Publisher {
    /// The type of the values.
    public typealias Output = Success

    /// The result.
    public let result: Result<Success, Failure>

    /// Creates a publisher of a result.
    public init(_ result: Result<Success, Failure>) { self.result = result }

    /// Creates a publisher of a value.
    public init(_ output: Success) {
      self.init(.success(output))
    }

    /// Creates a publisher of a failure.
    public init(_ failure: Failure) {
      self.init(.failure(failure))
    }

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Success, Failure>) {
      OnceSubscription.connect(result, to: subscriber)
    }
  }
}

/// A publisher that a closure makes for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// The output of the publishers that the closure makes.
  public typealias Output = DeferredPublisher.Output
  /// The failure of the publishers that the closure makes.
  public typealias Failure = DeferredPublisher.Failure

  /// Makes the publisher.
  public let createPublisher: @Sendable () -> DeferredPublisher

  /// Creates a publisher that a closure makes for each subscriber.
  public init(createPublisher: @escaping @Sendable () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Makes a publisher and connects the subscriber to it.
  public func receive(subscriber: some Subscriber<Output, Failure>) {
    createPublisher().receive(subscriber: subscriber)
  }
}

/// A subscription that sends one value at the first demand, and ends.
@usableFromInline final class OnceSubscription: Subscription {
  /// Sends the value, and then the completion unless the subscription has been cancelled.
  private let pending: Mutex<(@Sendable (OnceSubscription) -> Void)?>
  private let isCancelled = Atomic(false)

  init<S: Subscriber>(_ downstream: S, _ value: S.Input) {
    pending = Mutex({ subscription in
      _ = downstream.receive(value)
      if !subscription.isCancelled.load(ordering: .acquiring) {
        downstream.receive(completion: .finished)
      }
    })
  }

  /// Connects a subscriber to a known result.
  @usableFromInline static func connect<S: Subscriber>(
    _ result: Result<S.Input, S.Failure>, to downstream: S
  ) {
    switch result {
    case .success(let value):
      downstream.receive(subscription: OnceSubscription(downstream, value))
    case .failure(let error):
      downstream.receive(subscription: Subscriptions.empty)
      downstream.receive(completion: .failure(error))
    }
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) {
    if demand > .none { take()?(self) }
  }

  @usableFromInline func cancel() {
    isCancelled.store(true, ordering: .releasing)
    _ = take()
  }

  private func take() -> (@Sendable (OnceSubscription) -> Void)? {
    pending.withLock { $0.take() }
  }
}
