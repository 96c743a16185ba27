public import Synchronization

/// The part of an operator that passes on, changes or drops each value as it comes.
///
/// The upstream calls it one value at a time, as the protocol demands, so that it needs no queue
/// and allocates nothing for a value.
@usableFromInline
final class Sieve<Downstream: Subscriber, Input: Sendable, Failure: Error, Memory: Sendable>:
  Subscriber
{
  @usableFromInline typealias Judge =
    @Sendable (borrowing Mutex<Memory>, Input) -> Verdict<Downstream.Input, Downstream.Failure>
  @usableFromInline typealias End =
    @Sendable (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

  @usableFromInline let downstream: Downstream
  @usableFromInline let memory: Mutex<Memory>
  @usableFromInline let link = SubscriptionLink()
  /// Whether a subscription has come and no end.
  @usableFromInline let isOpen = Atomic(false)
  @usableFromInline let judge: Judge
  @usableFromInline let end: End

  @inlinable init(
    _ downstream: Downstream, _ memory: Memory, judge: @escaping Judge, end: @escaping End
  ) {
    self.downstream = downstream
    self.memory = Mutex(memory)
    self.judge = judge
    self.end = end
  }

  @inlinable deinit {}

  @inlinable func receive(subscription: any Subscription) {
    guard link.attach(subscription) else { return }
    isOpen.store(true, ordering: .releasing)
    downstream.receive(
      subscription: Handle(request: { self.link.request($0) }, cancel: { self.cancel() }))
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    guard isOpen.load(ordering: .acquiring) else { return .none }
    switch judge(memory, input) {
    case .pass(let output):
      return downstream.receive(output)
    case .drop:
      return .max(1)
    case .last(let output):
      _ = downstream.receive(output)
      stop(.finished)
      return .none
    case .end(let completion):
      stop(completion)
      return .none
    }
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    guard close() else { return }
    link.end()
    downstream.receive(completion: end(completion))
  }

  @inlinable func cancel() {
    _ = close()
    link.cancel()
  }

  @inlinable func stop(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard close() else { return }
    link.cancel()
    downstream.receive(completion: completion)
  }

  @inlinable func close() -> Bool {
    isOpen.exchange(false, ordering: .acquiringAndReleasing)
  }
}

extension Sieve where Failure == Downstream.Failure {
  /// Passes the end on as it is.
  @inlinable convenience init(
    _ downstream: Downstream, _ memory: Memory, judge: @escaping Judge
  ) {
    self.init(downstream, memory, judge: judge, end: { $0 })
  }
}
