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
    @preconcurrency public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      OperatorRunner.start(subscriber, with: upstream) { [handler] chain, completion in
        switch completion {
        case .finished: chain.complete(.finished)
        case .failure(let error):
          chain.advance(to: handler(error)) { $0.complete($1) }
        }
      }
    }
  }

  /// A publisher that sends a value in the place of a failure.
  public typealias ReplaceError<Upstream: Publisher> = Catch<Upstream, Just<Upstream.Output>>
}

extension Publishers.Catch where NewPublisher == Just<Upstream.Output> {
  /// Creates a publisher that sends a value in the place of a failure.
  public init(upstream: Upstream, output: Upstream.Output) {
    self.init(upstream: upstream) { _ in Just(output) }
  }
}

extension Publisher {
  /// Goes on with the publisher made of a failure.
  @preconcurrency public func `catch`<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) -> P
  )
    -> Publishers.Catch<Self, P> where P.Output == Output
  {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Sends a value in the place of a failure, and finishes.
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

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
    @preconcurrency public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) throws -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
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
  /// Goes on with the publisher made of a failure, and fails when the handler throws.
  @preconcurrency public func tryCatch<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher whose upstream is known never to fail; the process stops if it does.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// It cannot fail.
    public typealias Failure = Never

    /// Where the values come from.
    public let upstream: Upstream
    /// What the message of a debug build begins with.
    public let prefix: String
    /// The file that the message names.
    public let file: StaticString
    /// The line that the message names.
    public let line: UInt

    /// Creates a publisher whose upstream never fails.
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Never {
      upstream.mapError { [prefix, file, line] error -> Never in
        preconditionFailure("\(prefix)\(error)", file: file, line: line)
      }
      .receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Says that this publisher never fails: if it does, the process ends with a trap, in a release
  /// build too.
  ///
  /// Use ``catch(_:)`` or ``replaceError(with:)`` for what can fail.
  ///
  /// - Parameters:
  ///   - prefix: What the message of a debug build begins with.
  ///   - file: The file that the message names.
  ///   - line: The line that the message names.
  /// - Returns: A publisher of the same values that cannot fail.
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}
