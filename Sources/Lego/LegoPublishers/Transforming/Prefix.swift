internal import Synchronization

extension Publishers {
  /// A publisher that sends only the values in a range of positions.
  public struct Output<Upstream: Publisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The range of positions, where the first value is at position zero.
    public let range: Range<Int>

    /// Creates a publisher that sends only the values in the given range of positions.
    public init(upstream: Upstream, range: Range<Int>) {
      self.upstream = upstream
      self.range = range.clamped(to: 0..<Int.max)
    }

    /// Attaches the given subscriber to this publisher.
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
  /// Sends up to the given number of values, then cancels the upstream subscription and finishes.
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    Publishers.Output(upstream: self, range: 0..<Swift.max(0, maxLength))
  }

  /// Sends only the value at the given position, then cancels the upstream subscription and
  /// finishes.
  ///
  /// The first value is at position zero.
  public func output(at index: Int) -> Publishers.Output<Self> {
    Publishers.Output(upstream: self, range: index..<Swift.max(index, index &+ 1))
  }

  /// Sends only the values in the given range of positions, then cancels the upstream subscription
  /// and finishes.
  ///
  /// The first value is at position zero.
  public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self>
  where R.Bound == Int {
    // A closed range up to `Int.max` cannot be converted to a half-open range, so its upper bound
    // is dropped.
    if let closed = range as? ClosedRange<Int>, closed.upperBound == .max {
      return output(in: closed.lowerBound...)
    }
    return Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
  }
}

extension Publisher {
  /// Drops the given number of values, then sends the rest.
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

  /// Drops values as long as they satisfy a predicate, then sends the rest.
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

  /// Sends values as long as they satisfy a predicate, then cancels the upstream subscription and
  /// finishes.
  @preconcurrency public func prefix(
    while predicate: @escaping @Sendable (Output) -> Bool
  ) -> Publishers.PrefixWhile<Self> {
    Publishers.Transform(self, ()) { predicate($1) ? .pass($1) : .end(.finished) }
  }
}
