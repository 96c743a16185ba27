public import Synchronization

extension Publishers {
  /// A publisher that sends the elements of a sequence as they are requested.
  ///
  /// Each subscriber has its own iterator. The publisher reads at most one more element than was
  /// requested, so the sequence can be infinite.
  public struct Sequence<Elements: Swift.Sequence & Sendable, Failure: Error>: Publisher
  where Elements.Element: Sendable {
    /// The element type of the sequence.
    public typealias Output = Elements.Element

    /// The sequence of elements to send.
    public let sequence: Elements

    /// Creates a publisher that sends the elements of the given sequence.
    public init(sequence: Elements) { self.sequence = sequence }

    /// Attaches the given subscriber to this publisher.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
      // Inlinable, so that the closures are specialized for the iterator and the subscriber.
      // PublisherBenchmark measures the effect.
      guard let reader = SequenceReader(sequence) else {
        subscriber.receive(subscription: Subscriptions.empty)
        return subscriber.receive(completion: .finished)
      }
      subscriber.receive(
        subscription: SequenceSubscription(
          sendNext: {
            // There is an element: the subscription ends with the last one.
            guard let (element, isLast) = reader.next() else { return (.none, isLast: true) }
            return (subscriber.receive(element), isLast)
          }, finish: { subscriber.receive(completion: .finished) }))
    }
  }
}

extension Sequence where Self: Sendable, Element: Sendable {
  /// A publisher that sends the elements of this sequence.
  public var publisher: Publishers.Sequence<Self, Never> { .init(sequence: self) }
}

/// Reads a sequence one element ahead, so that the completion can immediately follow the last
/// element.
///
/// Its lock is never contended, because only the sending thread takes it.
@usableFromInline final class SequenceReader<Elements: Sequence & Sendable>: Sendable
where Elements.Element: Sendable {
  @usableFromInline let state: Mutex<(iterator: Elements.Iterator, ahead: Elements.Element?)>

  /// Returns `nil` if the sequence is empty.
  @usableFromInline init?(_ elements: Elements) {
    var iterator = elements.makeIterator()
    guard let first = iterator.next() else { return nil }
    state = Mutex((iterator, first))
  }

  /// Returns the next element and whether it is the last, or `nil` if there is none.
  @inlinable func next() -> (Elements.Element, isLast: Bool)? {
    state.withLock { state in
      guard let element = state.ahead else { return nil }
      state.ahead = state.iterator.next()
      return (element, state.ahead == nil)
    }
  }
}

/// A subscription that sends the elements of a sequence as they are requested.
@usableFromInline final class SequenceSubscription: Subscription {
  /// A closure that sends the next element, and returns additional demand.
  @usableFromInline typealias SendNext = @Sendable () -> (more: Subscribers.Demand, isLast: Bool)

  /// The closures that call the subscriber.
  private typealias Closures = (sendNext: SendNext, finish: @Sendable () -> Void)

  private struct State: Sendable {
    var demand = Subscribers.Demand.none
    var isSending = false
    /// The closures that call the subscriber, or `nil` after the subscription has ended.
    var closures: Closures?

    /// Reduces the demand by one, or ends sending if there is no demand or no subscriber.
    ///
    /// - Returns: The closure that sends the next element, or `nil` if sending has ended.
    mutating func nextStep() -> SendNext? {
      guard demand > .none, let closures else {
        isSending = false
        return nil
      }
      demand -= 1
      return closures.sendNext
    }
  }

  private let state: Mutex<State>

  @usableFromInline init(sendNext: @escaping SendNext, finish: @escaping @Sendable () -> Void) {
    state = Mutex(State(closures: (sendNext, finish)))
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) {
    guard demand > .none, begin(demand) else { return }
    while let sendNext = state.withLock({ $0.nextStep() }) {
      let (more, isLast) = sendNext()
      if isLast {
        end()?.finish()
        return
      }
      if more > .none { state.withLock { $0.demand += more } }
    }
  }

  /// Adds demand, and begins sending unless a thread is already sending.
  ///
  /// - Returns: `true` if the caller must send the requested elements.
  private func begin(_ demand: Subscribers.Demand) -> Bool {
    state.withLock { state in
      state.demand += demand
      defer { state.isSending = true }
      return !state.isSending
    }
  }

  @usableFromInline func cancel() { _ = end() }

  /// Ends the subscription, and returns the closures, which the caller releases outside the lock.
  private func end() -> Closures? {
    state.withLock { $0.closures.take() }
  }
}
