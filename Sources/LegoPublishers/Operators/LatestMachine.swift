/// The state of `combineLatest`: the latest value of each of two publishers.
///
/// A pair is made and takes its place under one lock, so that the last pair sent is the latest.
/// As long as no pair is wanted, a new one takes the place of the one that waits.
@usableFromInline struct LatestMachine<A: Sendable, B: Sendable, Failure: Error>: JoinMachine {
  @usableFromInline var outlet = Outlet<(A, B), Failure>()
  @usableFromInline var upstreams = Inlets()
  @usableFromInline var left: A?
  @usableFromInline var right: B?

  @inlinable init() {}

  /// Takes a value of the first publisher.
  ///
  /// - Returns: What is to be freed without the lock.
  @inlinable mutating func take(left value: A) -> (A?, (A, B)?) {
    guard upstreams.left.subscription != nil else { return (nil, nil) }
    defer { left = value }
    return (left, right.flatMap { outlet.sendLatest((value, $0)) })
  }

  /// Takes a value of the second publisher.
  @inlinable mutating func take(right value: B) -> (B?, (A, B)?) {
    guard upstreams.right.subscription != nil else { return (nil, nil) }
    defer { right = value }
    return (right, left.flatMap { outlet.sendLatest(($0, value)) })
  }

  @inlinable mutating func attach(
    _ subscription: any Subscription, at side: WritableKeyPath<Inlets, Inlet>,
    _ orders: inout Orders
  ) {
    if upstreams[keyPath: side].attach(subscription, &orders) {
      orders.request(subscription, .unlimited)
    }
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, of side: WritableKeyPath<Inlets, Inlet>,
    _ orders: inout Orders
  ) {
    guard upstreams[keyPath: side].end(&orders) else { return }
    if case .failure = completion {
      cancel(&orders)
      outlet.end(completion)
    } else if upstreams.areEnded {
      outlet.complete(.finished)
    }
  }

  @inlinable mutating func cancel(_ orders: inout Orders) {
    upstreams.cancel(&orders)
    orders.drop((left, right) as any Sendable)
    (left, right) = (nil, nil)
  }
}
