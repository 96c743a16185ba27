/// The state of an operator that joins or buffers, and what it decides at each event.
///
/// It calls nobody: what is to be sent waits in its outlet, and what is to be asked or cancelled
/// is ordered. A ``OperatorRunner`` puts it behind a lock and performs what it decides.
protocol OperatorMachine: Sendable {
  /// What is sent downstream.
  associatedtype Value: Sendable
  /// How it fails.
  associatedtype Failure: Error

  var output: OutputQueue<Value, Failure> { get set }

  /// Passes demand on, which the outlet has counted already.
  ///
  /// - Parameters:
  ///   - demand: What downstream wants beside what it wanted before.
  ///   - id: The upstream whose value downstream has just received, if its sender waits.
  ///   - calls: Whom to ask.
  /// - Returns: What that upstream is answered.
  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand

  /// Notes that downstream has taken a value.
  ///
  /// - Parameters:
  ///   - id: Where the value came from.
  ///   - isAnswered: Whether its sender waits for the answer.
  ///   - calls: Whom to ask.
  /// - Returns: What the sender is answered.
  mutating func delivered(
    from id: UpstreamID, isAnswered: Bool, _ calls: inout PendingCalls
  ) -> Subscribers.Demand

  /// Has all upstreams cancelled.
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

/// Which of an operator's upstreams a value came from.
struct UpstreamID: Sendable, Equatable {
  let index: Int
  /// Tells apart those that have the same place one after another.
  let generation: Int

  init(index: Int, generation: Int = 0) {
    self.index = index
    self.generation = generation
  }
}
