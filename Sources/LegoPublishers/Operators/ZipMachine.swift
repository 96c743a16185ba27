/// The state of `zip`: the values of two publishers that wait for their partners.
@usableFromInline struct ZipMachine<A: Sendable, B: Sendable, Failure: Error>: PairMachine {
  @usableFromInline var outlet = Outlet<(A, B), Failure>()
  @usableFromInline var upstreams = Inlets()
  @usableFromInline var left = Queue<A>()
  @usableFromInline var right = Queue<B>()

  @inlinable init() {}

  /// What was asked for before the second publisher came is asked of it when it comes.
  @inlinable var firstDemand: Subscribers.Demand { outlet.room }

  @inlinable mutating func take(left value: A, _ orders: inout Orders) {
    guard upstreams.left.subscription != nil, outlet.isOpen else { return }
    left.append(value)
    pair(&orders)
  }

  @inlinable mutating func take(right value: B, _ orders: inout Orders) {
    guard upstreams.right.subscription != nil, outlet.isOpen else { return }
    right.append(value)
    pair(&orders)
  }

  @inlinable mutating func pair(_ orders: inout Orders) {
    guard !left.isEmpty, !right.isEmpty, let a = left.popFirst(), let b = right.popFirst() else {
      return
    }
    outlet.send((a, b))
    finishIfOver(&orders)
  }

  /// Ends once no pair can come any more.
  @inlinable mutating func finishIfOver(_ orders: inout Orders) {
    guard outlet.isOpen,
      upstreams.left.isEnded && left.isEmpty || upstreams.right.isEnded && right.isEmpty
    else { return }
    cancel(&orders)
    outlet.complete(.finished)
  }

  @inlinable mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand {
    orders.request(upstreams.left.subscription, demand)
    orders.request(upstreams.right.subscription, demand)
    return .none
  }

  @inlinable mutating func cancel(_ orders: inout Orders) {
    upstreams.cancel(&orders)
    orders.drop(left)
    orders.drop(right)
    (left, right) = (Queue(), Queue())
  }
}
