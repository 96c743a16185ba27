internal import Synchronization

extension Publishers {
  /// A publisher of the first few values.
  public struct Output<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many values are sent; none if negative.
    public let maxLength: Int

    /// Creates a publisher of the first few values.
    public init(upstream: Upstream, maxLength: Int) {
      self.upstream = upstream
      self.maxLength = max(0, maxLength)
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      if maxLength == 0 {
        return Empty<Output, Failure>().receive(subscriber: subscriber)
      }
      let output = DownstreamSubscription(subscriber)
      let remaining = Remaining(maxLength)
      let input = UpstreamSubscriber<Output, Failure>(
        value: { value in
          guard let isLast = remaining.take() else { return }
          output.send(value)
          if isLast { output.finish() }
        },
        completion: { output.complete($0) })
      output.open(
        .init(request: { input.request($0) }, cancel: { input.cancel() }))
      upstream.receive(subscriber: input)
    }

    /// How many are still to be sent.
    private final class Remaining: Sendable {
      private let count: Atomic<Int>

      init(_ count: Int) {
        self.count = Atomic(count)
      }

      /// Takes one.
      ///
      /// - Returns: Whether it is the last, or `nil` when there is none left.
      func take() -> Bool? {
        let left = count.subtract(1, ordering: .acquiringAndReleasing).newValue
        return left < 0 ? nil : left == 0
      }
    }
  }

  /// A publisher of the first value.
  public typealias First<Upstream: Publisher> = Output<Upstream>
}

extension Publisher {
  /// Sends the first few values, then cancels upstream and finishes.
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    Publishers.Output(upstream: self, maxLength: maxLength)
  }

  /// Sends the first value, then cancels upstream and finishes.
  public func first() -> Publishers.First<Self> { prefix(1) }

  /// Sends the first value that passes a test, then cancels upstream and finishes.
  public func first(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.First<Publishers.Filter<Self>>
  {
    filter(predicate).first()
  }
}
