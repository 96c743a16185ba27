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
      let joint = Joint(subscriber, ScheduledMachine<Output, Failure>(permits: .max))
      let reader = AsyncReader()
      joint.update { machine, orders in _ = machine.attach(reader, &orders) }
      joint.connect()
      reader.start { [sequence] asked in
        var asked = asked.makeAsyncIterator()
        var elements = sequence.makeAsyncIterator()
        do {
          while true {
            while joint.read({ $0.outlet.room }) == .none {
              guard await asked.next() != nil else { return }
            }
            guard let element = try await elements.next() else {
              return joint.update { _ = $0.end(.finished, &$1) }
            }
            joint.update { machine, _ in _ = machine.take(element) }
          }
        } catch {
          joint.update { _ = $0.end(.failure(error), &$1) }
        }
      }
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// A publisher of the elements.
  public var publisher: Publishers.Async<Self> { Publishers.Async(self) }
}
