internal import Synchronization

/// A publisher that sends one value to each subscriber, and then finishes.
public struct Just<Output: Sendable>: Publisher {
  /// The failure type, which is `Never` because this publisher cannot fail.
  public typealias Failure = Never

  /// The value to send.
  public let output: Output

  /// Creates a publisher that sends the given value.
  public init(_ output: Output) { self.output = output }

  /// Attaches the given subscriber to this publisher.
  public func receive(subscriber: some Subscriber<Output, Never>) {
    OnceSubscription.connect(.success(output), to: subscriber)
  }

  /// Wraps this publisher with a type eraser, without allocating memory.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Never> {
    AnyPublisher(storage: .ready(output))
  }
}

extension Just: Equatable where Output: Equatable {}

/// A publisher that sends no values, and either finishes immediately or never finishes.
public struct Empty<Output: Sendable, Failure: Error>: Publisher, Equatable {
  /// A Boolean value that indicates whether the publisher finishes immediately.
  public let completeImmediately: Bool

  /// Creates a publisher that sends no values.
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// Creates a publisher that sends no values and has the given output and failure types.
  public init(
    completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type
  ) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Attaches the given subscriber to this publisher.
  public func receive(subscriber: some Subscriber<Output, Failure>) {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }

  /// Wraps this publisher with a type eraser, without allocating memory.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(storage: .empty(completes: completeImmediately))
  }
}

/// A publisher that fails immediately.
public struct Fail<Output: Sendable, Failure: Error>: Publisher {
  /// The error to fail with.
  public let error: Failure

  /// Creates a publisher that fails with the given error.
  public init(error: Failure) { self.error = error }

  /// Creates a publisher that fails with the given error and has the given output type.
  public init(outputType: Output.Type, failure: Failure) {
    self.init(error: failure)
  }

  /// Attaches the given subscriber to this publisher.
  public func receive(subscriber: some Subscriber<Output, Failure>) {
    OnceSubscription.connect(.failure(error), to: subscriber)
  }
}

extension Fail: Equatable where Failure: Equatable {}

extension Result where Success: Sendable {
  /// A publisher that sends the value of this result and finishes, or fails with its error.
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that sends the value of a result and finishes, or fails with its error.
  public struct Publisher: LegoPublishers.Publisher {
    /// The success type of the result.
    public typealias Output = Success

    /// The result to send.
    public let result: Result<Success, Failure>

    /// Creates a publisher that sends the given result.
    public init(_ result: Result<Success, Failure>) { self.result = result }

    /// Creates a publisher that sends the given value.
    public init(_ output: Success) {
      self.init(.success(output))
    }

    /// Creates a publisher that fails with the given error.
    public init(_ failure: Failure) {
      self.init(.failure(failure))
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Success, Failure>) {
      OnceSubscription.connect(result, to: subscriber)
    }
  }
}

/// A publisher that calls a closure to create a new publisher for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// The output type of the publishers that the closure creates.
  public typealias Output = DeferredPublisher.Output
  /// The failure type of the publishers that the closure creates.
  public typealias Failure = DeferredPublisher.Failure

  /// A closure that creates a publisher for a subscriber.
  public let createPublisher: @Sendable () -> DeferredPublisher

  /// Creates a publisher that calls the given closure for each subscriber.
  public init(createPublisher: @escaping @Sendable () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Creates a publisher, and attaches the given subscriber to it.
  public func receive(subscriber: some Subscriber<Output, Failure>) {
    createPublisher().receive(subscriber: subscriber)
  }
}

/// A subscription that sends one value when it is requested, and then finishes.
@usableFromInline final class OnceSubscription: Subscription {
  /// A closure that sends the value and then the completion, or `nil` once it has been taken.
  ///
  /// The closure does not send the completion if the subscription has been cancelled in the
  /// meantime.
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

  /// Sends a result to a subscriber: a value once it is requested, or a failure immediately.
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
