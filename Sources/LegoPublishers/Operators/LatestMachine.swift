/// The state of `combineLatest`: the latest value of each of two publishers.
///
/// A pair is made and takes its place under one lock, so that the last pair sent is the latest.
/// As long as no pair is wanted, a new one takes the place of the one that waits.
@usableFromInline struct LatestMachine<A: Sendable, B: Sendable, Failure: Error>: PairMachine {
  @usableFromInline var outlet = Outlet<(A, B), Failure>()
  @usableFromInline var upstreams = Inlets()
  @usableFromInline var left: A?
  @usableFromInline var right: B?

  @inlinable init() {}

  @inlinable var firstDemand: Subscribers.Demand { .unlimited }

  @inlinable mutating func take(left value: A, _ orders: inout Orders) -> (A?, (A, B)?) {
    guard upstreams.left.subscription != nil else { return (nil, nil) }
    defer { left = value }
    return (left, right.flatMap { outlet.sendLatest((value, $0)) })
  }

  @inlinable mutating func take(right value: B, _ orders: inout Orders) -> (B?, (A, B)?) {
    guard upstreams.right.subscription != nil else { return (nil, nil) }
    defer { right = value }
    return (right, left.flatMap { outlet.sendLatest(($0, value)) })
  }

  @inlinable mutating func finishIfOver(_ orders: inout Orders) {
    if upstreams.areEnded { outlet.complete(.finished) }
  }

  @inlinable mutating func cancel(_ orders: inout Orders) {
    upstreams.cancel(&orders)
    orders.drop((left, right) as any Sendable)
    (left, right) = (nil, nil)
  }
}
