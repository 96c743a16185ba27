extension Publishers {
  /// A publisher that stops the process when a closure says so, for a debugger to look at.
  public struct Breakpoint<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to stop at a subscription; `nil` for no.
    public let receiveSubscription: (@Sendable (any Subscription) -> Bool)?
    /// Whether to stop at a value; `nil` for no.
    public let receiveOutput: (@Sendable (Output) -> Bool)?
    /// Whether to stop at the end; `nil` for no.
    public let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)?

    /// Creates a publisher that stops the process when a closure says so.
    @preconcurrency @inlinable public init(
      upstream: Upstream,
      receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
      receiveOutput: (@Sendable (Output) -> Bool)? = nil,
      receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.handleEvents(
        receiveSubscription: { [receiveSubscription] subscription in
          if receiveSubscription?(subscription) ?? false { Self.stop("a subscription") }
        },
        receiveOutput: { [receiveOutput] value in
          if receiveOutput?(value) ?? false { Self.stop("the value \(value)") }
        },
        receiveCompletion: { [receiveCompletion] completion in
          if receiveCompletion?(completion) ?? false { Self.stop("the end: \(completion)") }
        }
      )
      .receive(subscriber: subscriber)
    }

    @usableFromInline static func stop(_ event: String) -> Never {
      preconditionFailure("stopped at a breakpoint, at \(event)")
    }
  }
}

extension Publisher {
  /// Stops the process when a closure answers yes, so that a debugger shows where.
  ///
  /// The process cannot go on from there. Without a debugger it ends with a trap.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Whether to stop at a subscription.
  ///   - receiveOutput: Whether to stop at a value.
  ///   - receiveCompletion: Whether to stop at the end.
  /// - Returns: A publisher of the same values.
  @preconcurrency @inlinable public func breakpoint(
    receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
    receiveOutput: (@Sendable (Output) -> Bool)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops the process at a failure, so that a debugger shows where.
  ///
  /// The process cannot go on from there. Without a debugger it ends with a trap.
  @inlinable public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { if case .failure = $0 { true } else { false } })
  }
}
