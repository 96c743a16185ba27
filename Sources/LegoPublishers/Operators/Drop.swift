public import Synchronization

extension Publisher {
  /// Leaves out the first few values.
  @inlinable public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Sift(self, Swift.max(0, count)) { remaining, value in
      let isDropped = remaining.withLock { remaining in
        if remaining == 0 { return false }
        remaining -= 1
        return true
      }
      return isDropped ? .drop : .pass(value)
    }
  }

  /// Leaves out the first values, as long as they pass a test.
  @preconcurrency @inlinable public func drop(
    while predicate: @escaping @Sendable (Output) -> Bool
  ) -> Publishers.DropWhile<Self> {
    Publishers.Sift(self, true) { isDropping, value in
      guard isDropping.withLock({ $0 }) else { return .pass(value) }
      if predicate(value) { return .drop }
      isDropping.withLock { $0 = false }
      return .pass(value)
    }
  }

  /// Sends the first values, as long as they pass a test, then cancels upstream and finishes.
  @preconcurrency @inlinable public func prefix(
    while predicate: @escaping @Sendable (Output) -> Bool
  ) -> Publishers.PrefixWhile<Self> {
    Publishers.Sift(self, ()) { predicate($1) ? .pass($1) : .end(.finished) }
  }
}
