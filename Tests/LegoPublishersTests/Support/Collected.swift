import Synchronization

/// Values collected from any thread.
final class Collected<Value: Sendable>: Sendable {
  private let storage = Mutex<[Value]>([])

  var values: [Value] { storage.withLock { $0 } }

  func append(_ value: Value) { storage.withLock { $0.append(value) } }
}
