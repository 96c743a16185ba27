extension Publishers {
  /// A publisher that switches to a replacement publisher if the upstream publisher fails.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// The output type of both publishers.
    public typealias Output = Upstream.Output
    /// The failure type of the replacement publisher.
    public typealias Failure = NewPublisher.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// A closure that returns a replacement publisher for an error.
    public let handler: @Sendable (Upstream.Failure) -> NewPublisher

    /// Creates a publisher that switches to a replacement publisher if the upstream publisher
    /// fails.
    @preconcurrency public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches the given subscriber to this publisher.
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

  /// A publisher that replaces a failure of the upstream publisher with a value, and then finishes.
  public typealias ReplaceError<Upstream: Publisher> = Catch<Upstream, Just<Upstream.Output>>
}

extension Publishers.Catch where NewPublisher == Just<Upstream.Output> {
  /// Creates a publisher that replaces a failure of the upstream publisher with a value, and then
  /// finishes.
  public init(upstream: Upstream, output: Upstream.Output) {
    self.init(upstream: upstream) { _ in Just(output) }
  }
}

extension Publisher {
  /// Switches to a replacement publisher if this publisher fails.
  ///
  /// - Parameter handler: A closure that returns the replacement publisher for an error.
  /// - Returns: A publisher that sends the values of this publisher and, after a failure, those of
  ///   the replacement.
  @preconcurrency public func `catch`<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) -> P
  ) -> Publishers.Catch<Self, P> where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Replaces a failure of this publisher with the given value, and then finishes.
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that switches to a replacement publisher, or fails with a new error, if the
  /// upstream publisher fails.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// The output type of both publishers.
    public typealias Output = Upstream.Output
    /// The failure type, which is `any Error` because the handler can throw any error.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream
    /// A closure that returns a replacement publisher for an error, or throws a new error.
    public let handler: @Sendable (Upstream.Failure) throws -> NewPublisher

    /// Creates a publisher that switches to a replacement publisher, or fails with a new error, if
    /// the upstream publisher fails.
    @preconcurrency public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) throws -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches the given subscriber to this publisher.
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
  /// Switches to a replacement publisher, or fails with a new error, if this publisher fails.
  ///
  /// - Parameter handler: A closure that returns the replacement publisher for an error, or throws
  ///   a new error.
  /// - Returns: A publisher that sends the values of this publisher and, after a failure, those of
  ///   the replacement.
  @preconcurrency public func tryCatch<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that stops the process if the upstream publisher fails.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type, which is `Never` because this publisher cannot fail.
    public typealias Failure = Never

    /// The upstream publisher.
    public let upstream: Upstream
    /// The prefix of the error message, which appears only in debug builds.
    public let prefix: String
    /// The file named in the error message.
    public let file: StaticString
    /// The line named in the error message.
    public let line: UInt

    /// Creates a publisher that stops the process if the upstream publisher fails.
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Never>) {
      upstream.mapError { [prefix, file, line] error -> Never in
        preconditionFailure("\(prefix)\(error)", file: file, line: line)
      }
      .receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Stops the process if this publisher fails, even in release builds.
  ///
  /// To handle failures, use ``catch(_:)`` or ``replaceError(with:)`` instead.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the error message, which appears only in debug builds.
  ///   - file: The file named in the error message.
  ///   - line: The line named in the error message.
  /// - Returns: A publisher that sends the same values and cannot fail.
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}
