public import Synchronization

/// The last value seen, to tell those that differ from those that do not.
@usableFromInline final class LastValue<Value: Equatable & Sendable>: Sendable {
  @usableFromInline let value: Mutex<Value?>

  @inlinable init(_ value: Value? = nil) {
    self.value = Mutex(value)
  }

  /// Keeps a value.
  ///
  /// - Returns: Whether it differs from the one before.
  @inlinable func replace(with new: Value) -> Bool {
    let old = value.withLock { value in
      defer { value = new }
      return value
    }
    return old != new
  }
}
