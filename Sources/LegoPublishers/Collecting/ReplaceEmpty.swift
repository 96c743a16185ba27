extension Publishers {
  /// A publisher that sends a value where upstream finishes without one.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What is sent in the place of nothing.
    public let output: Output

    /// Creates a publisher that sends a value where upstream finishes without one.
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let runner = OperatorRunner(subscriber, ReplaceEmptyMachine<Output, Failure>())
      upstream.receive(
        subscriber: AnySubscriber<Output, Failure>(
          receiveSubscription: { subscription in
            if runner.update({ $0.upstream.attach(subscription, &$1) }) { runner.connect() }
          },
          receiveValue: { value in
            runner.offer(value, from: UpstreamID(index: 0)) { $0.accept() }
          },
          receiveCompletion: { [output] completion in
            runner.update { $0.end(completion, or: output, &$1) }
          }))
    }
  }
}

/// The state of `replaceEmpty`: whether a value has come.
struct ReplaceEmptyMachine<Value: Sendable, Failure: Error>: OperatorMachine {
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  var isEmpty = true

  mutating func accept() -> Bool {
    guard upstream.subscription != nil else { return false }
    isEmpty = false
    return true
  }

  mutating func end(
    _ completion: Subscribers.Completion<Failure>, or value: Value, _ calls: inout PendingCalls
  ) {
    guard upstream.end(&calls) else { return }
    if isEmpty, case .finished = completion { output.send(value) }
    output.complete(completion)
  }

  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    if id != nil { return demand }
    calls.request(upstream.subscription, demand)
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) { upstream.cancel(&calls) }
}

extension Publisher {
  /// Sends a value where this publisher finishes without one.
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}
