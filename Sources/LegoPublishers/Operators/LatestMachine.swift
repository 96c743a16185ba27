/// The state of `combineLatest`: the latest value of each of two publishers.
///
/// A pair is made and takes its place under one lock, so that the last pair sent is the latest.
/// As long as no pair is wanted, a new one takes the place of the one that waits.
struct LatestMachine<A: Sendable, B: Sendable, Failure: Error>: JoinMachine {
  var outlet = Outlet<(A, B), Failure>()
  var upstreams = Inlets()
  var left: A?
  var right: B?

  /// Takes a value of the first publisher.
  ///
  /// - Returns: What is to be freed without the lock.
  mutating func take(left value: A) -> (A?, (A, B)?) {
    guard upstreams.left.subscription != nil else { return (nil, nil) }
    defer { left = value }
    return (left, right.flatMap { outlet.sendLatest((value, $0)) })
  }

  /// Takes a value of the second publisher.
  mutating func take(right value: B) -> (B?, (A, B)?) {
    guard upstreams.right.subscription != nil else { return (nil, nil) }
    defer { right = value }
    return (right, left.flatMap { outlet.sendLatest(($0, value)) })
  }

  mutating func attach(
    _ subscription: any Subscription, at side: WritableKeyPath<Inlets, Inlet>,
    _ orders: inout Orders
  ) {
    if upstreams[keyPath: side].attach(subscription, &orders) {
      orders.request(subscription, .unlimited)
    }
  }

  mutating func end(
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

  mutating func cancel(_ orders: inout Orders) {
    upstreams.cancel(&orders)
    orders.drop((left, right) as any Sendable)
    (left, right) = (nil, nil)
  }
}
