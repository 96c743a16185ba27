internal import Synchronization

/// A subscription that takes each element from an iterator when it is asked for.
final class IteratorSubscription<Elements: Sequence & Sendable, Downstream: Subscriber>:
  Subscription
where Elements.Element == Downstream.Input {
  private struct Source {
    var iterator: Elements.Iterator
    /// Read ahead, so that the end is told with the last element.
    var next: Elements.Element?

    init(_ elements: Elements) {
      iterator = elements.makeIterator()
      next = iterator.next()
    }

    mutating func take() -> (element: Elements.Element?, isLast: Bool) {
      let element = next
      next = iterator.next()
      return (element, next == nil)
    }
  }

  private struct State: Sendable {
    var downstream: Downstream?
    var demand = Subscribers.Demand.none
    var isSending = false

    /// Takes the right to send one element; `nil` when there is no more to send now.
    mutating func nextReceiver() -> Downstream? {
      guard demand > .none, let downstream else {
        isSending = false
        return nil
      }
      demand -= 1
      return downstream
    }
  }

  /// Only the one that sends takes its lock, which is therefore never waited for.
  private let source: Mutex<Source>
  private let state: Mutex<State>

  private init(_ elements: Elements, _ downstream: Downstream) {
    source = Mutex(Source(elements))
    state = Mutex(State(downstream: downstream))
  }

  static func connect(_ elements: Elements, to downstream: Downstream) {
    let subscription = IteratorSubscription(elements, downstream)
    if subscription.source.withLock({ $0.next == nil }) {
      downstream.receive(subscription: Subscriptions.empty)
      downstream.receive(completion: .finished)
    } else {
      downstream.receive(subscription: subscription)
    }
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let isMine = state.withLock { state in
      state.demand += demand
      defer { state.isSending = true }
      return !state.isSending
    }
    guard isMine else { return }
    while let downstream = state.withLock({ $0.nextReceiver() }) {
      let (element, isLast) = source.withLock { $0.take() }
      guard let element else { return }
      let more = downstream.receive(element)
      if isLast {
        takeDownstream()?.receive(completion: .finished)
        return
      }
      if more > .none { state.withLock { $0.demand += more } }
    }
  }

  func cancel() {
    _ = takeDownstream()
  }

  private func takeDownstream() -> Downstream? {
    state.withLock { state in
      defer { state.downstream = nil }
      return state.downstream
    }
  }
}
