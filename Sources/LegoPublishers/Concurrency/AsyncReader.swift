internal import Synchronization

/// The task that reads an async sequence, as the subscription of those who want its elements.
final class AsyncReader: Subscription {
  private let asked: AsyncStream<Void>
  private let ask: AsyncStream<Void>.Continuation
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let isCancelled = Atomic(false)

  init() {
    // It is enough to know that something was asked: how much is read from the demand.
    (asked, ask) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Starts to read, unless it is cancelled already.
  func start(_ body: @escaping @Sendable (AsyncStream<Void>) async -> Void) {
    if isCancelled.load(ordering: .acquiring) { return }
    let started = Task { [asked] in await body(asked) }
    task.withLock { $0 = started }
    if isCancelled.load(ordering: .acquiring) { started.cancel() }
  }

  func request(_ demand: Subscribers.Demand) { ask.yield() }

  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    ask.finish()
    let running = task.withLock { task in
      defer { task = nil }
      return task
    }
    running?.cancel()
  }
}
