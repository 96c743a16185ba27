internal import Synchronization

extension Publishers {
  /// A publisher that sends the elements of an asynchronous sequence as they are requested.
  public struct Async<Elements: AsyncSequence & Sendable>: Publisher
  where Elements.Element: Sendable {
    /// The element type of the sequence.
    public typealias Output = Elements.Element
    /// The failure type, which is `any Error` because the sequence can throw any error.
    public typealias Failure = any Error

    /// The asynchronous sequence of elements to send.
    public let sequence: Elements

    /// Creates a publisher that sends the elements of the given asynchronous sequence.
    public init(_ sequence: Elements) { self.sequence = sequence }

    /// Attaches the given subscriber, and starts a task that reads the sequence.
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
  /// A publisher that sends the elements of this asynchronous sequence.
  public var publisher: Publishers.Async<Self> { Publishers.Async(self) }
}

/// A subscription whose task reads an asynchronous sequence.
final class AsyncReader: Subscription {
  private let asked: AsyncStream<Void>
  private let ask: AsyncStream<Void>.Continuation
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let isCancelled = Atomic(false)

  init() {
    // One element is enough, because the task reads the demand from the state machine.
    (asked, ask) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Starts the task, unless the subscription has been cancelled.
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
