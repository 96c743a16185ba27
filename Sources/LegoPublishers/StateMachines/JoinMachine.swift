/// The state of an operator that joins or buffers, and what it decides at each event.
///
/// It calls nobody: what is to be sent waits in its outlet, and what is to be asked or cancelled
/// is ordered. A ``Joint`` puts it behind a lock and performs what it decides.
@usableFromInline protocol JoinMachine: Sendable {
  /// What is sent downstream.
  associatedtype Value: Sendable
  /// How it fails.
  associatedtype Failure: Error

  var outlet: Outlet<Value, Failure> { get set }

  /// Passes demand on, which the outlet has counted already.
  ///
  /// - Parameters:
  ///   - demand: What downstream wants beside what it wanted before.
  ///   - source: The upstream whose value downstream has just received, if its sender waits.
  ///   - orders: Whom to ask.
  /// - Returns: What that upstream is answered.
  mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand

  /// Notes that downstream has taken a value.
  ///
  /// - Parameters:
  ///   - source: Where the value came from.
  ///   - isAnswered: Whether its sender waits for the answer.
  ///   - orders: Whom to ask.
  /// - Returns: What the sender is answered.
  mutating func delivered(
    from source: Source, isAnswered: Bool, _ orders: inout Orders
  ) -> Subscribers.Demand

  /// Has all upstreams cancelled.
  mutating func cancel(_ orders: inout Orders)
}

extension JoinMachine {
  @inlinable mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand { .none }

  @inlinable mutating func delivered(
    from source: Source, isAnswered: Bool, _ orders: inout Orders
  ) -> Subscribers.Demand { .none }
}

/// Which of an operator's upstreams a value came from.
@usableFromInline struct Source: Sendable, Equatable {
  @usableFromInline let index: Int
  /// Tells apart those that have the same place one after another.
  @usableFromInline let ticket: Int

  @inlinable init(index: Int, ticket: Int = 0) {
    self.index = index
    self.ticket = ticket
  }
}
