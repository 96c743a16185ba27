import LegoPublishers
import Synchronization
import Testing

/// Values collected from any thread.
final class Collected<Value: Sendable>: Sendable {
  private let storage = Mutex<[Value]>([])

  var values: [Value] { storage.withLock { $0 } }

  func append(_ value: Value) { storage.withLock { $0.append(value) } }
}

@Suite struct `A future` {
  @Test func `runs its closure once, at once`() {
    let runs = Collected<Int>()
    let future = Future<Int, Never> { promise in
      runs.append(1)
      promise(.success(7))
    }
    let seen = Collected<Int>()
    let first = future.sink { seen.append($0) }
    let second = future.map { $0 * 2 }.sink { seen.append($0) }
    #expect(runs.values == [1])
    #expect(seen.values == [7, 14])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `ignores a second result`() {
    let seen = Collected<Int>()
    let future = Future<Int, Never> { promise in
      promise(.success(1))
      promise(.success(2))
    }
    let token = future.sink { seen.append($0) }
    #expect(seen.values == [1])
    withExtendedLifetime(token) {}
  }

  @Test func `finishes without a value when its promise is dropped`() {
    let seen = Collected<Int>()
    let ends = Collected<Subscribers.Completion<Never>>()
    let future = Future<Int, Never> { _ in }
    let token = future.sink(
      receiveCompletion: { ends.append($0) }, receiveValue: { seen.append($0) })
    #expect(seen.values.isEmpty)
    #expect(ends.values == [.finished])
    withExtendedLifetime(token) {}
  }
}
