/// The values of a publisher as an async sequence.
///
/// The publisher is asked for one value at a time, each when the iterator wants it; a subject
/// that sends meanwhile sends to nobody.
public struct AsyncPublisher<P: Publisher>: AsyncSequence, Sendable where P.Failure == Never {
  /// A value.
  public typealias Element = P.Output
  /// It cannot fail.
  public typealias Failure = Never

  private let publisher: P

  /// Creates the sequence of a publisher's values.
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// Takes values from one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    private let bridge: AsyncBridge<P.Output, Never>

    init(_ publisher: P) {
      bridge = AsyncBridge()
      publisher.receive(subscriber: bridge)
    }

    /// Waits for the next value; `nil` is the end.
    public mutating func next() async -> P.Output? { await bridge.next()?.get() }
  }

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }
}

/// The values of a publisher that can fail, as an async sequence.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence, Sendable {
  /// A value.
  public typealias Element = P.Output
  /// How the publisher fails.
  public typealias Failure = P.Failure

  private let publisher: P

  /// Creates the sequence of a publisher's values.
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// Takes values from one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    private let bridge: AsyncBridge<P.Output, P.Failure>

    init(_ publisher: P) {
      bridge = AsyncBridge()
      publisher.receive(subscriber: bridge)
    }

    /// Waits for the next value; `nil` is the end.
    public mutating func next() async throws(P.Failure) -> P.Output? {
      try await bridge.next()?.get()
    }

    /// Waits for the next value; `nil` is the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(P.Failure)
      -> P.Output?
    {
      try await bridge.next()?.get()
    }
  }

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }
}

extension Publisher where Failure == Never {
  /// The values as an async sequence.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values as an async sequence that throws the failure.
  ///
  /// Where nothing can fail, the other one is meant: `for await` in Swift 5 mode does not see that.
  @_disfavoredOverload
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}
