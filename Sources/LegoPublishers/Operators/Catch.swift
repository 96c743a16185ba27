extension Publishers {
  /// A publisher that goes on with another when upstream fails.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// What both send.
    public typealias Output = Upstream.Output
    /// How the second one fails.
    public typealias Failure = NewPublisher.Failure

    /// Where the values come from at first.
    public let upstream: Upstream
    /// Makes a publisher of the failure.
    public let handler: @Sendable (Upstream.Failure) -> NewPublisher

    /// Creates a publisher that goes on with another at a failure.
    @preconcurrency @inlinable public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      Joint.start(subscriber, with: upstream) { [handler] chain, completion in
        switch completion {
        case .finished: chain.complete(.finished)
        case .failure(let error):
          chain.goOn(with: handler(error)) { $0.complete($1) }
        }
      }
    }
  }

  /// A publisher that sends a value in the place of a failure.
  public typealias ReplaceError<Upstream: Publisher> = Catch<Upstream, Just<Upstream.Output>>
}

extension Publishers.Catch where NewPublisher == Just<Upstream.Output> {
  /// Creates a publisher that sends a value in the place of a failure.
  @inlinable public init(upstream: Upstream, output: Upstream.Output) {
    self.init(upstream: upstream) { _ in Just(output) }
  }
}

extension Publisher {
  /// Goes on with the publisher made of a failure.
  @preconcurrency @inlinable public func `catch`<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) -> P
  )
    -> Publishers.Catch<Self, P> where P.Output == Output
  {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Sends a value in the place of a failure, and finishes.
  @inlinable public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}
