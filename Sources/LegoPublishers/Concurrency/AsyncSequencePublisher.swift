internal import Synchronization

extension Publishers {
  /// A publisher of an async sequence's elements, each taken when it is asked for.
  public struct Async<Elements: AsyncSequence & Sendable>: Publisher
  where Elements.Element: Sendable {
    /// An element.
    public typealias Output = Elements.Element
    /// How the sequence fails.
    public typealias Failure = any Error

    /// The sequence.
    public let sequence: Elements

    /// Creates a publisher of an async sequence's elements.
    public init(_ sequence: Elements) {
      self.sequence = sequence
    }

    /// Connects a subscriber; a task iterates the sequence until the end or a cancellation.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let output = DownstreamSubscription(subscriber)
      let (asked, ask) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let holder = Holder()
      output.open(
        .init(
          request: { _ in ask.yield() },
          cancel: {
            ask.finish()
            holder.cancel()
          }))
      holder.start { [sequence] in
        var demands = asked.makeAsyncIterator()
        var elements = sequence.makeAsyncIterator()
        do {
          while true {
            while output.demand == .none {
              guard await demands.next() != nil else { return }
            }
            guard let element = try await elements.next() else { return output.finish() }
            output.send(element)
          }
        } catch {
          output.end(.failure(error))
        }
      }
    }

    /// Holds the task, which may be cancelled before it starts.
    private final class Holder: Sendable {
      private let task = Mutex<Task<Void, Never>?>(nil)
      private let isCancelled = Atomic(false)

      func start(_ body: @escaping @Sendable () async -> Void) {
        if isCancelled.load(ordering: .acquiring) { return }
        let started = Task { await body() }
        task.withLock { $0 = started }
        if isCancelled.load(ordering: .acquiring) { started.cancel() }
      }

      func cancel() {
        isCancelled.store(true, ordering: .releasing)
        task.withLock { task in
          defer { task = nil }
          return task
        }?.cancel()
      }
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// A publisher of the elements.
  public var publisher: Publishers.Async<Self> { Publishers.Async(self) }
}
