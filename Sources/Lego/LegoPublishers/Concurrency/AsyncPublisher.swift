internal import Synchronization

/// The values of a publisher as an async sequence.
///
/// The iterator requests one value at a time. A value that a subject sends between two requests is
/// lost.
public struct AsyncPublisher<P: Publisher>: AsyncSequence, Sendable where P.Failure == Never {
  /// A value of the publisher.
  public typealias Element = P.Output
  /// The publisher cannot fail.
  public typealias Failure = Never

  private let publisher: P

  /// Creates the sequence of the values of a publisher.
  public init(_ publisher: P) { self.publisher = publisher }

  /// An iterator over the values of one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    private let bridge: AsyncBridge<P.Output, Never>

    init(_ publisher: P) {
      bridge = AsyncBridge()
      publisher.receive(subscriber: bridge)
    }

    /// Waits for the next value, or `nil` at the end.
    public mutating func next() async -> P.Output? { await bridge.next()?.get() }
  }

  /// Subscribes to the publisher.
  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }
}

/// The values of a publisher that can fail, as an async sequence.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence, Sendable {
  /// A value of the publisher.
  public typealias Element = P.Output
  /// The failure of the publisher.
  public typealias Failure = P.Failure

  private let publisher: P

  /// Creates the sequence of the values of a publisher.
  public init(_ publisher: P) { self.publisher = publisher }

  /// An iterator over the values of one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    private let bridge: AsyncBridge<P.Output, P.Failure>

    init(_ publisher: P) {
      bridge = AsyncBridge()
      publisher.receive(subscriber: bridge)
    }

    /// Waits for the next value, or `nil` at the end.
    public mutating func next() async throws(P.Failure) -> P.Output? {
      try await bridge.next()?.get()
    }

    /// Waits for the next value, or `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(P.Failure)
      -> P.Output?
    {
      try await bridge.next()?.get()
    }
  }

  /// Subscribes to the publisher.
  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }
}

extension Publisher where Failure == Never {
  /// The values as an async sequence.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values as an async sequence that throws the failure.
  ///
  /// It is disfavored for publishers that cannot fail, because `for await` in Swift 5 mode would be
  /// ambiguous.
  @_disfavoredOverload
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The subscriber of an async iterator, which requests one value at a time.
final class AsyncBridge<Output: Sendable, Failure: Error>: Subscriber {
  typealias Input = Output
  typealias Element = Result<Output, Failure>?

  private struct State: Sendable {
    /// The waiting tasks; there are several if they share an iterator.
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

  /// Requests the next value and waits for it, or for `nil` at the end.
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
      // The waiting tasks have received all values.
      return (state.waiting, state.waiting.isEmpty ? nil : state.next() ?? nil)
    }
    // The first task receives the failure, and the others the end.
    waiting.popFirst()?.resume(returning: element)
    while let other = waiting.popFirst() { other.resume(returning: nil) }
  }
}

/// The error if a promise is freed before there is a result.
public struct NoResultError: Error, Hashable, CustomStringConvertible {
  /// The error as text.
  public var description: String { "the future ended without a result" }
}

extension Future {
  /// Waits for the result.
  ///
  /// - Throws: The failure, `CancellationError` if the waiting task is cancelled first, or
  ///   ``NoResultError`` if the promise is freed.
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
  /// Waits for the value, even if the waiting task is cancelled.
  ///
  /// If the promise is freed, there is no error to throw: the task waits forever, and the runtime
  /// reports the leaked continuation. If this can happen, iterate over `values` instead, which then
  /// ends.
  public var value: Output {
    get async {
      await withCheckedContinuation { continuation in
        let waiter = FutureWaiter<Output, Never>.closure { continuation.resume(returning: $0) }
        core.add(waiter).outcome.map(waiter.settle)
      }
    }
  }
}
