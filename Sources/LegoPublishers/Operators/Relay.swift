/// Passes everything on to a subscriber, with values and the end made into others on the way.
@usableFromInline
struct Relay<Downstream: Subscriber, Input: Sendable, Failure: Error>:
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

extension Relay where Failure == Downstream.Failure {
  /// Passes on the end as it is.
  @inlinable init(
    to downstream: Downstream,
    value: @escaping @Sendable (Input, Downstream) -> Subscribers.Demand
  ) {
    self.init(to: downstream, value: value, end: { $0 })
  }
}

extension Relay where Input == Downstream.Input {
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
