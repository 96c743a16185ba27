public import Synchronization

extension Publisher {
  /// Sends what accumulates, from a first value, with each value that comes.
  @preconcurrency @inlinable public func scan<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Sift(self, initialResult) { memory, value in
      let result = nextPartialResult(memory.withLock { $0 }, value)
      var old = result
      memory.withLock { swap(&$0, &old) }
      return .pass(result)
    }
  }

  /// Sends what accumulates, and fails when the closure throws.
  @preconcurrency @inlinable public func tryScan<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
  ) -> Publishers.TryScan<Self, T> {
    Publishers.Sift(throwing: self, initialResult) { memory, value in
      let result = try nextPartialResult(memory.withLock { $0 }, value)
      var old = result
      memory.withLock { swap(&$0, &old) }
      return .pass(result)
    }
  }
}
