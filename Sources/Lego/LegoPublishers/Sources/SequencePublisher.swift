internal import Synchronization

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
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      IteratorSubscription.connect(sequence, to: subscriber)
    }
  }
}

extension Sequence where Self: Sendable, Element: Sendable {
  /// A publisher that sends the elements of this sequence.
  public var publisher: Publishers.Sequence<Self, Never> { .init(sequence: self) }
}

/// A subscription that sends elements from an iterator as they are requested.
private final class IteratorSubscription<Elements: Sequence & Sendable, Downstream: Subscriber>:
  Sendable
where Elements.Element == Downstream.Input {
  private struct Reader {
    var iterator: Elements.Iterator
    /// The next element, read ahead so that the completion can immediately follow the last element.
    var next: Elements.Element?

    init(_ elements: Elements) {
      iterator = elements.makeIterator()
      next = iterator.next()
    }

    mutating func take() -> Elements.Element? {
      defer { next = iterator.next() }
      return next
    }
  }

  private struct State: Sendable {
    var downstream: Downstream?
    var demand = Subscribers.Demand.none
    var isSending = false

    /// Reduces the demand by one, or ends sending if there is no demand or no subscriber.
    ///
    /// - Returns: The subscriber to send the next element to, or `nil` if sending has ended.
    mutating func nextReceiver() -> Downstream? {
      guard demand > .none, let downstream else {
        isSending = false
        return nil
      }
      demand -= 1
      return downstream
    }
  }

  /// The iterator, guarded by a lock that is never contended, because only the sending thread takes
  /// it.
  private let reader: Mutex<Reader>
  private let state: Mutex<State>

  private init(_ elements: Elements, _ downstream: Downstream) {
    reader = Mutex(Reader(elements))
    state = Mutex(State(downstream: downstream))
  }

  static func connect(_ elements: Elements, to downstream: Downstream) {
    let subscription = IteratorSubscription(elements, downstream)
    if subscription.isAtEnd {
      downstream.receive(subscription: Subscriptions.empty)
      downstream.receive(completion: .finished)
    } else {
      downstream.receive(
        subscription: ClosureSubscription(
          request: { subscription.request($0) }, cancel: { subscription.cancel() }))
    }
  }

  private var isAtEnd: Bool { reader.withLock { $0.next == nil } }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none, begin(demand) else { return }
    while sendNext() {}
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

  /// Sends the next requested element, followed by the completion if that element is the last.
  ///
  /// - Returns: `false` if there is nothing more to send for now.
  private func sendNext() -> Bool {
    guard sendElement() else { return false }
    if !isAtEnd { return true }
    takeDownstream()?.receive(completion: .finished)
    return false
  }

  private func sendElement() -> Bool {
    guard let downstream = state.withLock({ $0.nextReceiver() }),
      let element = reader.withLock({ $0.take() })
    else { return false }
    let more = downstream.receive(element)
    if more > .none { state.withLock { $0.demand += more } }
    return true
  }

  func cancel() { _ = takeDownstream() }

  private func takeDownstream() -> Downstream? { state.withLock { $0.downstream.take() } }
}
