extension Publishers {
  /// A publisher that converts each value.
  public struct Map<Upstream: Publisher, Output: Sendable>: Publisher {
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// Converts a value.
    public let transform: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher that converts each value.
    @preconcurrency @inlinable public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Connects a subscriber.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.receive(
        subscriber: MapSubscriber(to: subscriber) { [transform] in $1.receive(transform($0)) })
    }
  }
}

extension Publisher {
  /// Converts each value.
  @preconcurrency @inlinable public func map<T: Sendable>(
    _ transform: @escaping @Sendable (Output) -> T
  ) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }

  /// Replaces each `nil` with a value.
  public func replaceNil<T: Sendable>(with output: T) -> Publishers.Map<Self, T>
  where Output == T? {
    map { $0 ?? output }
  }
}

extension Publishers {
  /// A publisher that converts a failure.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output

    /// The upstream publisher.
    public let upstream: Upstream
    /// Converts a failure.
    public let transform: @Sendable (Upstream.Failure) -> Failure

    /// Creates a publisher that converts a failure.
    @preconcurrency public init(
      upstream: Upstream, _ map: @escaping @Sendable (Upstream.Failure) -> Failure
    ) {
      self.upstream = upstream
      transform = map
    }

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.receive(
        subscriber: MapSubscriber(to: subscriber, end: { [transform] in $0.mapError(transform) }))
    }
  }
}

extension Publisher {
  /// Converts a failure.
  @preconcurrency public func mapError<E: Error>(
    _ transform: @escaping @Sendable (Failure) -> E
  ) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform)
  }
}

extension Publishers {
  /// A publisher that cannot fail, with another failure type.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    /// The output of upstream.
    public typealias Output = Upstream.Output

    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher with a failure type.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.receive(subscriber: MapSubscriber(to: subscriber, end: { _ in .finished }))
    }
  }
}

extension Publisher where Failure == Never {
  /// Gives another failure type to a publisher that cannot fail.
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E>
  {
    Publishers.SetFailureType(upstream: self)
  }
}

/// A subscriber that converts values and the completion, and passes them on.
///
/// It is inlinable as `filter` and `sink` are, because PublisherBenchmark measures chains of them.
/// Their code is then compiled for the types of the values.
@usableFromInline
struct MapSubscriber<Downstream: Subscriber, Input: Sendable, Failure: Error>: Subscriber {
  /// Passes on a value, and returns additional demand.
  @usableFromInline typealias PassValue = @Sendable (Input, Downstream) -> Subscribers.Demand
  /// Converts the completion.
  @usableFromInline typealias MapCompletion =
    @Sendable (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

  @usableFromInline let downstream: Downstream
  @usableFromInline let value: PassValue
  @usableFromInline let end: MapCompletion

  @inlinable init(
    to downstream: Downstream, value: @escaping PassValue, end: @escaping MapCompletion
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
  /// Passes on the completion unchanged.
  @inlinable init(to downstream: Downstream, value: @escaping PassValue) {
    self.init(to: downstream, value: value, end: { $0 })
  }
}

extension MapSubscriber where Input == Downstream.Input {
  /// Passes on the values unchanged.
  init(to downstream: Downstream, end: @escaping MapCompletion) {
    self.init(to: downstream, value: { $1.receive($0) }, end: end)
  }
}
