extension Publishers {
  /// A publisher that goes on with another when upstream fails, unless the handler throws.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// What both send.
    public typealias Output = Upstream.Output
    /// How the second one fails, or what the handler throws.
    public typealias Failure = any Error

    /// Where the values come from at first.
    public let upstream: Upstream
    /// Makes a publisher of the failure.
    public let handler: @Sendable (Upstream.Failure) throws -> NewPublisher

    /// Creates a publisher that goes on with another at a failure.
    @preconcurrency @inlinable public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) throws -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      Joint.start(subscriber, with: upstream) { [handler] chain, completion in
        guard case .failure(let error) = completion else { return chain.complete(.finished) }
        do {
          chain.goOn(with: try handler(error)) { $0.complete($1.mapError { $0 }) }
        } catch {
          chain.complete(.failure(error))
        }
      }
    }
  }
}

extension Publisher {
  /// Goes on with the publisher made of a failure, and fails when the handler throws.
  @preconcurrency @inlinable public func tryCatch<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}
