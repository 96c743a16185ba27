extension Publishers {
  /// A publisher that turns each value into another.
  public struct Map<Upstream: Publisher, Output: Sendable>: Publisher {
    /// It fails as upstream does.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Turns a value into another.
    public let transform: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher that turns each value into another.
    @preconcurrency @inlinable public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: MapSubscriber(to: subscriber) { [transform] in $1.receive(transform($0)) })
    }
  }
}

extension Publisher {
  /// Turns each value into another.
  @preconcurrency @inlinable public func map<T: Sendable>(
    _ transform: @escaping @Sendable (Output) -> T
  )
    -> Publishers.Map<Self, T>
  {
    Publishers.Map(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that turns a failure into another.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream
    /// Turns a failure into another.
    public let transform: @Sendable (Upstream.Failure) -> Failure

    /// Creates a publisher that turns a failure into another.
    @preconcurrency public init(
      upstream: Upstream, _ map: @escaping @Sendable (Upstream.Failure) -> Failure
    ) {
      self.upstream = upstream
      transform = map
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: MapSubscriber(to: subscriber, end: { [transform] in $0.mapError(transform) }))
    }
  }
}

extension Publisher {
  /// Turns a failure into another.
  @preconcurrency public func mapError<E: Error>(
    _ transform: @escaping @Sendable (Failure) -> E
  )
    -> Publishers.MapError<Self, E>
  {
    Publishers.MapError(upstream: self, transform)
  }
}

extension Publishers {
  /// A publisher that cannot fail, where one is wanted that could.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    /// What upstream sends.
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream

    /// Creates a publisher with a failure type.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: MapSubscriber(to: subscriber, end: { _ in .finished }))
    }
  }
}

extension Publisher where Failure == Never {
  /// Names a failure type for a publisher that cannot fail.
  public func setFailureType<E: Error>(to failureType: E.Type)
    -> Publishers.SetFailureType<Self, E>
  {
    Publishers.SetFailureType(upstream: self)
  }
}

/// Passes everything on to a subscriber, with values and the end made into others on the way.
@usableFromInline
struct MapSubscriber<Downstream: Subscriber, Input: Sendable, Failure: Error>:
  Subscriber
{
  @usableFromInline let downstream: Downstream
  /// Hands a value on, and answers with how many more are wanted.
  @usableFromInline let value: @Sendable (Input, Downstream) -> Subscribers.Demand
  @usableFromInline let end:
    @Sendable (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

  @inlinable init(
    to downstream: Downstream,
    value: @escaping @Sendable (Input, Downstream) -> Subscribers.Demand,
    end:
      @escaping @Sendable (Subscribers.Completion<Failure>) ->
      Subscribers.Completion<
        Downstream.Failure
      >
  ) {
    self.downstream = downstream
    self.value = value
    self.end = end
  }

  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand { value(input, downstream) }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: end(completion))
  }
}

extension MapSubscriber where Failure == Downstream.Failure {
  /// Passes on the end as it is.
  @inlinable init(
    to downstream: Downstream,
    value: @escaping @Sendable (Input, Downstream) -> Subscribers.Demand
  ) {
    self.init(to: downstream, value: value, end: { $0 })
  }
}

extension MapSubscriber where Input == Downstream.Input {
  /// Passes on the values as they are.
  @inlinable init(
    to downstream: Downstream,
    end:
      @escaping @Sendable (Subscribers.Completion<Failure>) ->
      Subscribers.Completion<
        Downstream.Failure
      >
  ) {
    self.init(to: downstream, value: { $1.receive($0) }, end: end)
  }
}
