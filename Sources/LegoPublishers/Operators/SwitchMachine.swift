/// The state of `switchToLatest`: the latest publisher, which alone is listened to.
@usableFromInline struct SwitchMachine<Value: Sendable, Failure: Error>: JoinMachine {
  @usableFromInline var outlet = Outlet<Value, Failure>()
  @usableFromInline var upstream = Inlet()
  @usableFromInline var child = Inlet()
  @usableFromInline var ticket = 0
  /// Whether the latest publisher has not ended.
  @usableFromInline var isChildOpen = false

  @inlinable init() {}

  @inlinable mutating func connect(_ subscription: any Subscription, _ orders: inout Orders) {
    if upstream.attach(subscription, &orders) { orders.request(subscription, .unlimited) }
  }

  /// Turns to another publisher, which is then connected without the lock.
  @inlinable mutating func turn(_ orders: inout Orders) -> Int? {
    guard outlet.isOpen, upstream.subscription != nil else { return nil }
    orders.cancel(child.subscription)
    child = Inlet()
    isChildOpen = true
    ticket += 1
    return ticket
  }

  @inlinable func holds(_ source: Source) -> Bool { isChildOpen && source.ticket == ticket }

  @inlinable mutating func attach(
    _ subscription: any Subscription, of source: Source, _ orders: inout Orders
  ) {
    guard outlet.isOpen, holds(source) else { return orders.cancel(subscription) }
    if child.attach(subscription, &orders) { orders.request(subscription, outlet.room) }
  }

  @inlinable func accepts(from source: Source) -> Bool {
    outlet.isOpen && holds(source) && child.subscription != nil
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, of source: Source, _ orders: inout Orders
  ) {
    guard holds(source), child.end(&orders) else { return }
    isChildOpen = false
    end(completion, &orders, isOver: upstream.isEnded)
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ orders: inout Orders
  ) {
    if upstream.end(&orders) { end(completion, &orders, isOver: !isChildOpen) }
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ orders: inout Orders, isOver: Bool
  ) {
    if case .failure = completion {
      cancel(&orders)
      outlet.complete(completion)
    } else if isOver {
      outlet.complete(completion)
    }
  }

  @inlinable mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand {
    if let source, holds(source) { return demand }
    orders.request(child.subscription, demand)
    return .none
  }

  @inlinable mutating func cancel(_ orders: inout Orders) {
    child.cancel(&orders)
    upstream.cancel(&orders)
  }
}
