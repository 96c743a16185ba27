/// The state of an operator that joins, buffers or reschedules values.
///
/// A machine calls nothing outside itself. At each event, it queues output and collects the calls
/// to make to its upstreams. An ``OperatorRunner`` keeps it behind a lock and performs both.
protocol OperatorMachine: Sendable {
  /// The type of the values sent downstream.
  associatedtype Value: Sendable
  /// The type of the failure sent downstream.
  associatedtype Failure: Error

  var output: OutputQueue<Value, Failure> { get set }

  /// Passes on demand that the output has already counted.
  ///
  /// - Parameters:
  ///   - demand: The additional demand of downstream.
  ///   - id: The upstream whose value downstream has just received, if that upstream waits for the
  ///     result of the call.
  ///   - calls: Collects the requests to other upstreams.
  /// - Returns: The demand to return to the upstream that waits.
  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand

  /// Records that downstream has received a value.
  ///
  /// - Parameters:
  ///   - id: The upstream that sent the value.
  ///   - isAnswered: A Boolean value that indicates whether that upstream waits for the result.
  ///   - calls: Collects the requests to upstreams.
  /// - Returns: The demand to return to the upstream that waits.
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

/// The state of an operator with one upstream.
protocol SingleUpstreamMachine: OperatorMachine {
  var upstream: SubscriptionSlot { get set }
}

extension SingleUpstreamMachine {
  /// A Boolean value that indicates whether a value from upstream can still be sent.
  var acceptsValues: Bool { upstream.subscription != nil && output.isOpen }

  mutating func cancel(_ calls: inout PendingCalls) { upstream.cancel(&calls) }
}

/// The upstream that a value came from.
struct UpstreamID: Sendable, Equatable {
  /// The identifier in an operator with one upstream.
  static let only = UpstreamID()

  var index = 0
  /// Distinguishes the upstreams that have had the same index.
  var generation = 0
}
