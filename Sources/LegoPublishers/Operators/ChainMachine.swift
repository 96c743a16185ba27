/// The state of operators that go on with one publisher after another.
///
/// Demand that one publisher did not meet goes to the next.
@usableFromInline struct ChainMachine<Value: Sendable, Failure: Error>: JoinMachine {
  @usableFromInline var outlet = Outlet<Value, Failure>()
  @usableFromInline var current = Inlet()
  @usableFromInline var ticket = 0

  @inlinable init() {}

  /// Goes on with another publisher, which is then connected without the lock.
  @inlinable mutating func advance() -> Int? {
    guard outlet.isOpen else { return nil }
    current = Inlet()
    ticket += 1
    return ticket
  }

  @inlinable mutating func attach(
    _ subscription: any Subscription, of source: Source, _ orders: inout Orders
  ) {
    guard outlet.isOpen, source.ticket == ticket else { return orders.cancel(subscription) }
    if current.attach(subscription, &orders) { orders.request(subscription, outlet.room) }
  }

  @inlinable func accepts(from source: Source) -> Bool {
    outlet.isOpen && source.ticket == ticket && current.subscription != nil
  }

  /// Whether this is the end of the publisher that is current.
  @inlinable mutating func end(_ source: Source, _ orders: inout Orders) -> Bool {
    guard outlet.isOpen, source.ticket == ticket else { return false }
    return current.end(&orders)
  }

  @inlinable mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand {
    if let source, source.ticket == ticket { return demand }
    orders.request(current.subscription, demand)
    return .none
  }

  @inlinable mutating func cancel(_ orders: inout Orders) { current.cancel(&orders) }
}
