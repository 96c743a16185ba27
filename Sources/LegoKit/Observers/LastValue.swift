internal import Synchronization

/// The last value seen, to tell those that differ from those that do not.
final class LastValue<Value: Equatable & Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value? = nil) {
    self.value = Mutex(value)
  }

  /// Keeps a value.
  ///
  /// - Returns: Whether it differs from the one before.
  func replace(with new: Value) -> Bool {
    let old = value.withLock { value in
      defer { value = new }
      return value
    }
    return old != new
  }
}
