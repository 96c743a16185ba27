internal import Synchronization

/// The latest value that nobody has taken yet.
final class Latest<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func put(_ new: Value) {
    // The value before is freed outside the lock.
    let old = value.withLock { value in
      defer { value = new }
      return value
    }
    withExtendedLifetime(old) {}
  }

  func take() -> Value? {
    value.withLock { value in
      defer { value = nil }
      return value
    }
  }
}
