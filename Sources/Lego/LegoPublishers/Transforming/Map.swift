extension Publishers {
  /// A publisher that transforms each value.
  public struct Map<Upstream: Publisher, Output: Sendable>: Publisher {
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// A closure that transforms a value.
    public let transform: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher that transforms each value.
    @preconcurrency @inlinable public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches the given subscriber to this publisher.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.receive(
        subscriber: MapSubscriber(to: subscriber) { [transform] in $1.receive(transform($0)) })
    }
  }
}

extension Publisher {
  /// Transforms each value.
  @preconcurrency @inlinable public func map<T: Sendable>(
    _ transform: @escaping @Sendable (Output) -> T
  ) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }

  /// Replaces each `nil` with the given value.
  public func replaceNil<T: Sendable>(with output: T) -> Publishers.Map<Self, T>
  where Output == T? {
    map { $0 ?? output }
  }
}

extension Publishers {
  /// A publisher that transforms the error if the upstream publisher fails.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output

    /// The upstream publisher.
    public let upstream: Upstream
    /// A closure that transforms an error.
    public let transform: @Sendable (Upstream.Failure) -> Failure

    /// Creates a publisher that transforms the error if the upstream publisher fails.
    @preconcurrency public init(
      upstream: Upstream, _ map: @escaping @Sendable (Upstream.Failure) -> Failure
    ) {
      self.upstream = upstream
      transform = map
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.receive(
        subscriber: MapSubscriber(to: subscriber, end: { [transform] in $0.mapError(transform) }))
    }
  }
}

extension Publisher {
  /// Transforms the error if this publisher fails.
  @preconcurrency public func mapError<E: Error>(
    _ transform: @escaping @Sendable (Failure) -> E
  ) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform)
  }
}

extension Publishers {
  /// A publisher that never fails, but has the given failure type.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output

    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher that never fails, but has the given failure type.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.receive(subscriber: MapSubscriber(to: subscriber, end: { _ in .finished }))
    }
  }
}

extension Publisher where Failure == Never {
  /// Changes the failure type of this publisher, which cannot fail.
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E>
  {
    Publishers.SetFailureType(upstream: self)
  }
}

/// A subscriber that transforms values and the completion, and passes them on.
///
/// It is inlinable, like `filter` and `sink`, so that the compiler can specialize chains of
/// operators for the types of their values. PublisherBenchmark measures such chains.
@usableFromInline
struct MapSubscriber<Downstream: Subscriber, Input: Sendable, Failure: Error>: Subscriber {
  /// A closure that transforms a value, passes it to the subscriber, and returns additional demand.
  @usableFromInline typealias PassValue = @Sendable (Input, Downstream) -> Subscribers.Demand
  /// A closure that transforms the completion.
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
  /// Creates a subscriber that passes on the completion unchanged.
  @inlinable init(to downstream: Downstream, value: @escaping PassValue) {
    self.init(to: downstream, value: value, end: { $0 })
  }
}

extension MapSubscriber where Input == Downstream.Input {
  /// Creates a subscriber that passes on values unchanged.
  init(to downstream: Downstream, end: @escaping MapCompletion) {
    self.init(to: downstream, value: { $1.receive($0) }, end: end)
  }
}
