extension Publishers {
  /// A publisher that continues with another one if upstream fails.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// The output of both publishers.
    public typealias Output = Upstream.Output
    /// The failure of the second publisher.
    public typealias Failure = NewPublisher.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// Makes a publisher of the failure.
    public let handler: @Sendable (Upstream.Failure) -> NewPublisher

    /// Creates a publisher that continues with another one after a failure.
    @preconcurrency public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      OperatorRunner.start(subscriber, with: upstream) { [handler] chain, completion in
        switch completion {
        case .finished: chain.complete(.finished)
        case .failure(let error):
          chain.advance(to: handler(error)) { $0.complete($1) }
        }
      }
    }
  }

  /// A publisher that replaces a failure with a value.
  public typealias ReplaceError<Upstream: Publisher> = Catch<Upstream, Just<Upstream.Output>>
}

extension Publishers.Catch where NewPublisher == Just<Upstream.Output> {
  /// Creates a publisher that replaces a failure with a value.
  public init(upstream: Upstream, output: Upstream.Output) {
    self.init(upstream: upstream) { _ in Just(output) }
  }
}

extension Publisher {
  /// Continues with a publisher that a closure makes of the failure.
  @preconcurrency public func `catch`<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) -> P
  ) -> Publishers.Catch<Self, P> where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Replaces a failure with a value, and finishes.
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that continues with another one if upstream fails, unless the handler throws.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// The output of both publishers.
    public typealias Output = Upstream.Output
    /// The failure of the second publisher, or the error of the handler.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream
    /// Makes a publisher of the failure.
    public let handler: @Sendable (Upstream.Failure) throws -> NewPublisher

    /// Creates a publisher that continues with another one after a failure.
    @preconcurrency public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) throws -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      OperatorRunner.start(subscriber, with: upstream) { [handler] chain, completion in
        guard case .failure(let error) = completion else { return chain.complete(.finished) }
        do {
          chain.advance(to: try handler(error)) { $0.complete($1.mapError { $0 }) }
        } catch {
          chain.complete(.failure(error))
        }
      }
    }
  }
}

extension Publisher {
  /// Continues with a publisher that a closure makes of the failure, and fails if the closure
  /// throws.
  @preconcurrency public func tryCatch<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher whose upstream never fails; if it does, the process ends.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The publisher cannot fail.
    public typealias Failure = Never

    /// The upstream publisher.
    public let upstream: Upstream
    /// The prefix of the message in a debug build.
    public let prefix: String
    /// The file in the message.
    public let file: StaticString
    /// The line in the message.
    public let line: UInt

    /// Creates a publisher whose upstream never fails.
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Output, Never>) {
      upstream.mapError { [prefix, file, line] error -> Never in
        preconditionFailure("\(prefix)\(error)", file: file, line: line)
      }
      .receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Ends the process with a trap if this publisher fails, even in a release build.
  ///
  /// Use ``catch(_:)`` or ``replaceError(with:)`` for a publisher that can fail.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the message in a debug build.
  ///   - file: The file in the message.
  ///   - line: The line in the message.
  /// - Returns: A publisher that sends the same values and cannot fail.
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}
