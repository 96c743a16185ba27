/// The state of `zip` and `combineLatest`, which send the values of two publishers as pairs.
///
/// For three or four publishers, these operators nest pairs.
struct PairMachine<Left: Sendable, Right: Sendable, Failure: Error>: OperatorMachine {
  /// The rule for combining values into pairs.
  enum Rule: Sendable {
    /// Each value is paired with the value at the same position in the other publisher.
    case samePosition
    /// Each value is paired with the latest value of the other publisher.
    ///
    /// While there is no demand, a new pair replaces the waiting pair.
    case latest
  }

  /// One of the two publishers.
  struct Side<Value: Sendable>: Sendable {
    var upstream = SubscriptionSlot()
    /// The values that are waiting to be paired, or, under the `latest` rule, only the latest
    /// value.
    var values = Queue<Value>()
  }

  var output = OutputQueue<(Left, Right), Failure>()
  var left = Side<Left>()
  var right = Side<Right>()
  let rule: Rule

  init(_ rule: Rule) { self.rule = rule }

  mutating func attach<Value>(
    _ subscription: any Subscription, at side: WritableKeyPath<Self, Side<Value>>,
    _ calls: inout PendingCalls
  ) {
    guard self[keyPath: side].upstream.attach(subscription, &calls) else { return }
    // Downstream may have requested values before this publisher was connected.
    calls.request(subscription, rule == .latest ? .unlimited : output.unmetDemand)
  }

  /// Stores a value, and queues the pair that it completes, if any.
  ///
  /// - Returns: The replaced value and pair, if any, which the caller releases outside the lock.
  mutating func take<Value>(
    _ value: Value, at side: WritableKeyPath<Self, Side<Value>>, _ calls: inout PendingCalls
  ) -> (Value?, (Left, Right)?) {
    guard self[keyPath: side].upstream.isOpen, output.isOpen else {
      return (nil, nil)
    }
    let replaced = rule == .latest ? self[keyPath: side].values.popFirst() : nil
    self[keyPath: side].values.append(value)
    guard let first = left.values.first, let second = right.values.first else {
      return (replaced, nil)
    }
    switch rule {
    case .latest: return (replaced, output.sendLatest((first, second)))
    case .samePosition:
      _ = left.values.popFirst()
      _ = right.values.popFirst()
      output.send((first, second))
      finishIfOver(&calls)
      return (nil, nil)
    }
  }

  mutating func end<Value>(
    _ completion: Subscribers.Completion<Failure>, at side: WritableKeyPath<Self, Side<Value>>,
    _ calls: inout PendingCalls
  ) {
    guard self[keyPath: side].upstream.end(&calls) else { return }
    if case .failure = completion {
      cancel(&calls)
      output.end(completion)
    } else {
      finishIfOver(&calls)
    }
  }

  /// Finishes if no more pairs are possible.
  private mutating func finishIfOver(_ calls: inout PendingCalls) {
    let isOver =
      switch rule {
      case .latest: left.upstream.isEnded && right.upstream.isEnded
      case .samePosition:
        left.upstream.isEnded && left.values.isEmpty
          || right.upstream.isEnded && right.values.isEmpty
      }
    guard isOver, output.isOpen else { return }
    cancel(&calls)
    output.complete(.finished)
  }

  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    if rule == .samePosition {
      calls.request(left.upstream.subscription, demand)
      calls.request(right.upstream.subscription, demand)
    }
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    left.upstream.cancel(&calls)
    right.upstream.cancel(&calls)
    calls.release(left.values)
    calls.release(right.values)
    (left.values, right.values) = (Queue(), Queue())
  }
}

extension OperatorRunner {
  /// Subscribes to two publishers, and sends pairs of their values to a subscriber.
  static func connect<A: Publisher, B: Publisher>(
    _ downstream: Downstream, to a: A, _ b: B, by rule: Machine.Rule
  ) where Machine == PairMachine<A.Output, B.Output, A.Failure>, A.Failure == B.Failure {
    let runner = OperatorRunner(downstream, PairMachine(rule))
    runner.connect()
    a.receive(subscriber: runner.subscriber(at: \.left))
    b.receive(subscriber: runner.subscriber(at: \.right))
  }

  private func subscriber<Left, Right, Failure, Value>(
    at side: any WritableKeyPath<Machine, Machine.Side<Value>> & Sendable
  ) -> AnySubscriber<Value, Failure> where Machine == PairMachine<Left, Right, Failure> {
    AnySubscriber(
      receiveSubscription: { subscription in
        self.update { $0.attach(subscription, at: side, &$1) }
      },
      receiveValue: { value in
        self.update { $0.take(value, at: side, &$1) }
        return .none
      },
      receiveCompletion: { completion in self.update { $0.end(completion, at: side, &$1) } })
  }
}
