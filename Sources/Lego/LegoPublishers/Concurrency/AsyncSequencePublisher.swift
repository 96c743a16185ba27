internal import Synchronization

extension Publishers {
  /// A publisher of the elements of an async sequence, each read when it is requested.
  public struct Async<Elements: AsyncSequence & Sendable>: Publisher
  where Elements.Element: Sendable {
    /// An element of the sequence.
    public typealias Output = Elements.Element
    /// The failure of the sequence.
    public typealias Failure = any Error

    /// The sequence.
    public let sequence: Elements

    /// Creates a publisher of the elements of an async sequence.
    public init(_ sequence: Elements) { self.sequence = sequence }

    /// Connects a subscriber, and reads the sequence in a task.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let runner = OperatorRunner(subscriber, ScheduledMachine<Output, Failure>(permits: .max))
      let reader = AsyncReader()
      runner.update { machine, calls in _ = machine.upstream.attach(reader, &calls) }
      runner.connect()
      reader.start { [sequence] asked in
        var asked = asked.makeAsyncIterator()
        var elements = sequence.makeAsyncIterator()
        do {
          while true {
            while runner.read({ $0.output.unmetDemand }) == .none {
              guard await asked.next() != nil else { return }
            }
            guard let element = try await elements.next() else {
              return runner.update { _ = $0.end(.finished, &$1) }
            }
            runner.update { machine, _ in _ = machine.take(element) }
          }
        } catch {
          runner.update { _ = $0.end(.failure(error), &$1) }
        }
      }
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// A publisher of the elements.
  public var publisher: Publishers.Async<Self> { Publishers.Async(self) }
}

/// The task that reads an async sequence, as a subscription.
final class AsyncReader: Subscription {
  private let asked: AsyncStream<Void>
  private let ask: AsyncStream<Void>.Continuation
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let isCancelled = Atomic(false)

  init() {
    // One element is enough, because the task reads the amount from the demand.
    (asked, ask) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Starts the task, unless the subscription is cancelled.
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
