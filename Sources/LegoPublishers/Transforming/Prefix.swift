internal import Synchronization

extension Publishers {
  /// A publisher of the values in a range of places.
  public struct Output<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// The places of the values that are sent, counted from zero.
    public let range: Range<Int>

    /// Creates a publisher of the values in a range of places.
    public init(upstream: Upstream, range: Range<Int>) {
      self.upstream = upstream
      self.range = range.clamped(to: 0..<Int.max)
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      if range.isEmpty { return Empty<Output, Failure>().receive(subscriber: subscriber) }
      upstream.receive(
        subscriber: TransformSubscriber<S, Output, Failure, Int>(
          subscriber, 0,
          step: { [range] place, value in
            let index = place.withLock { place in
              defer { if place < range.upperBound { place += 1 } }
              return place
            }
            if index < range.lowerBound || index >= range.upperBound { return .drop }
            return index == range.upperBound - 1 ? .last(value) : .pass(value)
          }))
    }
  }
}

extension Publisher {
  /// Sends the first few values, then cancels upstream and finishes.
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    Publishers.Output(upstream: self, range: 0..<Swift.max(0, maxLength))
  }

  /// Sends the value at a place, counted from zero, then cancels upstream and finishes.
  public func output(at index: Int) -> Publishers.Output<Self> {
    Publishers.Output(upstream: self, range: index..<Swift.max(index, index &+ 1))
  }

  /// Sends the values in a range of places, then cancels upstream and finishes.
  public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self>
  where R.Bound == Int {
    // The end of a closed range that has no next place is as good as none.
    if let closed = range as? ClosedRange<Int>, closed.upperBound == .max {
      return output(in: closed.lowerBound...)
    }
    return Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
  }
}

extension Publisher {
  /// Leaves out the first few values.
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Transform(self, Swift.max(0, count)) { remaining, value in
      let isDropped = remaining.withLock { remaining in
        if remaining == 0 { return false }
        remaining -= 1
        return true
      }
      return isDropped ? .drop : .pass(value)
    }
  }

  /// Leaves out the first values, as long as they pass a test.
  @preconcurrency public func drop(
    while predicate: @escaping @Sendable (Output) -> Bool
  ) -> Publishers.DropWhile<Self> {
    Publishers.Transform(self, true) { isDropping, value in
      guard isDropping.withLock({ $0 }) else { return .pass(value) }
      if predicate(value) { return .drop }
      isDropping.withLock { $0 = false }
      return .pass(value)
    }
  }

  /// Sends the first values, as long as they pass a test, then cancels upstream and finishes.
  @preconcurrency public func prefix(
    while predicate: @escaping @Sendable (Output) -> Bool
  ) -> Publishers.PrefixWhile<Self> {
    Publishers.Transform(self, ()) { predicate($1) ? .pass($1) : .end(.finished) }
  }
}
