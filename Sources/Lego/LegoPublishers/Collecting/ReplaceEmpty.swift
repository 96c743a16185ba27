extension Publishers {
  /// A publisher that sends a given value if the upstream publisher finishes without sending any.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The value to send if the upstream publisher sends none.
    public let output: Output

    /// Creates a publisher that sends a value if the upstream publisher finishes without sending
    /// any.
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let runner = OperatorRunner(subscriber, ReplaceEmptyMachine<Output, Failure>())
      runner.connect(
        to: upstream,
        receiveValue: { value in runner.send(value, from: .only) { $0.accept() } },
        receiveCompletion: { [output] completion in
          runner.update { $0.end(completion, or: output, &$1) }
        })
    }
  }
}

/// The state of `replaceEmpty`, which records whether upstream has sent a value.
private struct ReplaceEmptyMachine<Value: Sendable, Failure: Error>: SingleUpstreamMachine {
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  private var isEmpty = true

  init() {}

  mutating func accept() -> Bool {
    guard upstream.isOpen else { return false }
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
}

extension Publisher {
  /// Sends the given value if this publisher finishes without sending any.
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}
