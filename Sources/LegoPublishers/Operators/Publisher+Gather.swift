extension Publisher {
  /// Sends the first value, then finishes; it is kept until it is wanted.
  public func first() -> Publishers.First<Self> {
    Publishers.Gather(
      self, nil,
      step: { first, value in
        first = value
        return true
      }, result: { $0 })
  }

  /// Sends the first value that passes a test, then finishes; it is kept until it is wanted.
  @preconcurrency public func first(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.First<Self>
  {
    Publishers.Gather(
      self, nil,
      step: { first, value in
        guard predicate(value) else { return false }
        first = value
        return true
      }, result: { $0 })
  }

  /// Sends the last value, once upstream has finished.
  public func last() -> Publishers.Last<Self> {
    Publishers.Gather(
      self, nil,
      step: { last, value in
        last = value
        return false
      }, result: { $0 })
  }

  /// Sends the last value that passes a test, once upstream has finished.
  @preconcurrency public func last(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.Last<Self>
  {
    Publishers.Gather(
      self, nil,
      step: { last, value in
        if predicate(value) { last = value }
        return false
      }, result: { $0 })
  }

  /// Sends the value that all values are worked into, once upstream has finished.
  @preconcurrency public func reduce<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Gather(
      self, initialResult,
      step: { result, value in
        result = nextPartialResult(result, value)
        return false
      }, result: { $0 })
  }

  /// Sends all values at once, when upstream has finished.
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Gather(
      self, [],
      step: { values, value in
        values.append(value)
        return false
      }, result: { $0 })
  }

  /// Sends the number of values, once upstream has finished.
  public func count() -> Publishers.Count<Self> { reduce(0) { count, _ in count + 1 } }

  /// Sends whether some value passes a test, as soon as that is known.
  @preconcurrency public func contains(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.ContainsWhere<Self>
  {
    Publishers.Gather(
      self, false,
      step: { isContained, value in
        isContained = predicate(value)
        return isContained
      }, result: { $0 })
  }

  /// Sends whether all values pass a test, as soon as that is known.
  @preconcurrency public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.ContainsWhere<Self>
  {
    Publishers.Gather(
      self, true,
      step: { isSatisfied, value in
        isSatisfied = predicate(value)
        return !isSatisfied
      }, result: { $0 })
  }

  /// Sends the smallest value by an order, once upstream has finished.
  @preconcurrency public func min(
    by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.First<Self> {
    Publishers.Gather(
      self, nil,
      step: { least, value in
        if let known = least, !areInIncreasingOrder(value, known) { return false }
        least = value
        return false
      }, result: { $0 })
  }

  /// Sends the greatest value by an order, once upstream has finished.
  @preconcurrency public func max(
    by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.First<Self> {
    min { areInIncreasingOrder($1, $0) }
  }

  /// Sends nothing but the end.
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.Gather(self, false, step: { _, _ in false }, result: { _ in nil })
  }
}

extension Publisher where Output: Equatable {
  /// Sends whether a value comes, as soon as that is known.
  public func contains(_ output: Output) -> Publishers.ContainsWhere<Self> {
    contains { $0 == output }
  }
}

extension Publisher where Output: Comparable {
  /// Sends the smallest value, once upstream has finished.
  public func min() -> Publishers.First<Self> { min { $0 < $1 } }

  /// Sends the greatest value, once upstream has finished.
  public func max() -> Publishers.First<Self> { max { $0 < $1 } }
}
