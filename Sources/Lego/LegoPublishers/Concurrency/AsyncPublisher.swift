internal import Synchronization

/// An asynchronous sequence of a publisher's values.
///
/// The iterator requests one value at a time. If a ``PassthroughSubject`` sends a value between two
/// requests, the iterator does not receive it.
public struct AsyncPublisher<P: Publisher>: AsyncSequence, Sendable where P.Failure == Never {
  /// The output type of the publisher.
  public typealias Element = P.Output
  /// The failure type, which is `Never` because the publisher cannot fail.
  public typealias Failure = Never

  private let publisher: P

  /// Creates an asynchronous sequence of the given publisher's values.
  public init(_ publisher: P) { self.publisher = publisher }

  /// An iterator over the values of one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    private let bridge: AsyncBridge<P.Output, Never>

    init(_ publisher: P) {
      bridge = AsyncBridge()
      publisher.receive(subscriber: bridge)
    }

    /// Waits for the next value and returns it.
    ///
    /// - Returns: The next value, or `nil` if the publisher has finished or the task is cancelled.
    public mutating func next() async -> P.Output? { await bridge.next()?.get() }
  }

  /// Subscribes to the publisher, and returns an iterator over its values.
  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }
}

/// A throwing asynchronous sequence of a publisher's values.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence, Sendable {
  /// The output type of the publisher.
  public typealias Element = P.Output
  /// The failure type of the publisher.
  public typealias Failure = P.Failure

  private let publisher: P

  /// Creates an asynchronous sequence of the given publisher's values.
  public init(_ publisher: P) { self.publisher = publisher }

  /// An iterator over the values of one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    private let bridge: AsyncBridge<P.Output, P.Failure>

    init(_ publisher: P) {
      bridge = AsyncBridge()
      publisher.receive(subscriber: bridge)
    }

    /// Waits for the next value and returns it.
    ///
    /// - Returns: The next value, or `nil` if the publisher has ended or the task is cancelled.
    /// - Throws: The error that the publisher fails with.
    public mutating func next() async throws(P.Failure) -> P.Output? {
      try await bridge.next()?.get()
    }

    /// Waits for the next value and returns it.
    ///
    /// - Parameter actor: The actor that the caller is isolated to.
    /// - Returns: The next value, or `nil` if the publisher has ended or the task is cancelled.
    /// - Throws: The error that the publisher fails with.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(P.Failure)
      -> P.Output?
    {
      try await bridge.next()?.get()
    }
  }

  /// Subscribes to the publisher, and returns an iterator over its values.
  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }
}

extension Publisher where Failure == Never {
  /// The values of this publisher, as an asynchronous sequence.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values of this publisher, as an asynchronous sequence that can throw.
  ///
  /// This overload is disfavored. Otherwise, `for await` would be ambiguous in Swift 5 mode if the
  /// publisher cannot fail.
  @_disfavoredOverload
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The subscriber behind an asynchronous iterator, which requests one value at a time.
final class AsyncBridge<Output: Sendable, Failure: Error>: Subscriber {
  typealias Input = Output
  typealias Element = Result<Output, Failure>?

  private struct State: Sendable {
    /// The waiting tasks, of which there can be several if they share an iterator.
    var waiting = Queue<CheckedContinuation<Element, Never>>()
    var values = Queue<Output>()
    var end: Subscribers.Completion<Failure>?

    mutating func next() -> Element? {
      if let value = values.popFirst() { return .some(.success(value)) }
      switch end {
      case nil: return nil
      case .finished: return .some(nil)
      case .failure(let error):
        end = .finished
        return .some(.failure(error))
      }
    }
  }

  private let state = Mutex(State())
  private let link = SubscriptionLink()

  deinit {
    link.cancel()
  }

  /// Requests the next value and waits for it.
  ///
  /// - Returns: The next value, the failure, or `nil` if the publisher has ended or the task is
  ///   cancelled.
  func next() async -> Element {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state in
          let ready = state.next()
          if ready == nil { state.waiting.append(continuation) }
          return ready
        }
        if let ready { continuation.resume(returning: ready) } else { link.request(.max(1)) }
      }
    } onCancel: {
      link.cancel()
      receive(completion: .finished)
    }
  }

  func receive(subscription: any Subscription) { _ = link.attach(subscription) }

  func receive(_ input: Output) -> Subscribers.Demand {
    let waiting = state.withLock { state in
      let waiting = state.waiting.popFirst()
      if waiting == nil, state.end == nil { state.values.append(input) }
      return waiting
    }
    waiting?.resume(returning: .success(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    link.end()
    var (waiting, element) = state.withLock { state in
      if state.end == nil { state.end = completion }
      defer { state.waiting = Queue() }
      // While tasks are waiting, no values are stored.
      return (state.waiting, state.waiting.isEmpty ? nil : state.next() ?? nil)
    }
    // The first task receives the failure, if there is one, and the others receive `nil`.
    waiting.popFirst()?.resume(returning: element)
    while let other = waiting.popFirst() { other.resume(returning: nil) }
  }
}

/// The error that is thrown if the promise of a future is released without being called.
public struct NoResultError: Error, Hashable, CustomStringConvertible {
  /// A textual representation of the error.
  public var description: String { "the future ended without a result" }
}

extension Future {
  /// The value of the future, once it is available.
  ///
  /// - Throws: The error that the future fails with, `CancellationError` if the waiting task is
  ///   cancelled first, or ``NoResultError`` if the promise is released without being called.
  public var value: Output {
    get async throws {
      if case .result(let result) = core.outcome { return try result.get() }
      let bridge = AsyncBridge<Output, Failure>()
      receive(subscriber: bridge)
      guard let result = await bridge.next() else {
        try Task.checkCancellation()
        throw NoResultError()
      }
      return try result.get()
    }
  }
}

extension Future where Failure == Never {
  /// The value of the future, once it is available.
  ///
  /// Cancelling the waiting task has no effect.
  ///
  /// If the promise is released without being called, the task waits forever, because this property
  /// cannot throw an error, and the runtime reports a leaked continuation. If this can happen,
  /// iterate over `values` instead, because that sequence ends without a value.
  public var value: Output {
    get async {
      await withCheckedContinuation { continuation in
        let waiter = FutureWaiter<Output, Never>.closure { continuation.resume(returning: $0) }
        core.add(waiter).outcome.map(waiter.settle)
      }
    }
  }
}
