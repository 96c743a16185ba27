/// The state machine of an operator that combines, buffers or reschedules values.
///
/// A state machine does not call other objects. For each event, it queues output and collects the
/// calls to make to its upstreams. An ``OperatorRunner`` guards it with a lock, then sends the
/// output and makes the calls outside the lock.
@usableFromInline protocol OperatorMachine: Sendable {
  /// The type of values that are sent downstream.
  associatedtype Value: Sendable
  /// The type of error that downstream can receive.
  associatedtype Failure: Error

  var output: OutputQueue<Value, Failure> { get set }

  /// Passes new demand on to the upstreams.
  ///
  /// The caller has already added the demand to `output`.
  ///
  /// - Parameters:
  ///   - demand: The additional demand from downstream.
  ///   - id: The upstream that is waiting for the demand that this method returns, or `nil` if no
  ///     upstream is waiting.
  ///   - calls: Collects the requests to the other upstreams.
  /// - Returns: The demand to return to the waiting upstream.
  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand

  /// Records that downstream has received a value.
  ///
  /// - Parameters:
  ///   - id: The upstream that sent the value.
  ///   - isAnswered: `true` if that upstream is waiting for the demand that this method returns.
  ///   - calls: Collects the requests to upstreams.
  /// - Returns: The demand to return to the waiting upstream.
  mutating func delivered(
    from id: UpstreamID, isAnswered: Bool, _ calls: inout PendingCalls
  ) -> Subscribers.Demand

  /// Cancels all upstreams.
  mutating func cancel(_ calls: inout PendingCalls)
}

extension OperatorMachine {
  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand { .none }

  mutating func delivered(
    from id: UpstreamID, isAnswered: Bool, _ calls: inout PendingCalls
  ) -> Subscribers.Demand { .none }
}

/// The state machine of an operator with one upstream.
protocol SingleUpstreamMachine: OperatorMachine {
  var upstream: SubscriptionSlot { get set }
}

extension SingleUpstreamMachine {
  /// A Boolean value that indicates whether the operator still accepts values from upstream.
  var acceptsValues: Bool { upstream.isOpen && output.isOpen }

  mutating func cancel(_ calls: inout PendingCalls) { upstream.cancel(&calls) }
}

/// Identifies an upstream of an operator.
@usableFromInline struct UpstreamID: Sendable, Equatable {
  /// The identifier that operators with a single upstream use.
  @usableFromInline static let only = UpstreamID()

  var index = 0
  /// Distinguishes upstreams that have used the same index.
  var generation = 0
}
