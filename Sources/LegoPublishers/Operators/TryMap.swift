extension Publisher {
  /// Turns each value into another, and fails when the closure throws.
  @preconcurrency @inlinable public func tryMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> T
  ) -> Publishers.TryMap<Self, T> {
    Publishers.Sift(throwing: self, ()) { .pass(try transform($1)) }
  }

  /// Turns each value into another, drops those that become `nil`, and fails when the closure
  /// throws.
  @preconcurrency @inlinable public func tryCompactMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Self, T> {
    Publishers.Sift(throwing: self, ()) { _, value in
      if let output = try transform(value) { .pass(output) } else { .drop }
    }
  }

  /// Drops the values that fail a test, and fails when the test throws.
  @preconcurrency @inlinable public func tryFilter(
    _ isIncluded: @escaping @Sendable (Output) throws -> Bool
  ) -> Publishers.TryFilter<Self> {
    Publishers.Sift(throwing: self, ()) { try isIncluded($1) ? .pass($1) : .drop }
  }

  /// Sends a value in the place of each `nil`.
  @inlinable public func replaceNil<T: Sendable>(with output: T) -> Publishers.Map<Self, T>
  where Output == T? {
    map { $0 ?? output }
  }
}
