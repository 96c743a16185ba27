internal import Synchronization

/// A subscriber that an async iterator takes values from, one for each time it asks.
final class AsyncBridge<Output: Sendable, Failure: Error>: Subscriber {
  typealias Input = Output
  typealias Element = Result<Output, Failure>?

  private struct State: Sendable {
    /// More than one waits where several tasks share an iterator.
    var waiting = Queue<CheckedContinuation<Element, Never>>()
    var values = Queue<Output>()
    var end: Subscribers.Completion<Failure>?

    mutating func next() -> Element? {
      if let value = values.popFirst() { return .some(.success(value)) }
      switch end {
      case nil: return nil
      case .finished: return .some(nil)
      case .failure(let error):
        end = .finished
        return .some(.failure(error))
      }
    }
  }

  private let state = Mutex(State())
  private let link = SubscriptionLink()

  deinit {
    link.cancel()
  }

  /// Asks for the next value and waits for it; `nil` is the end.
  func next() async -> Element {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state in
          let ready = state.next()
          if ready == nil { state.waiting.append(continuation) }
          return ready
        }
        if let ready { continuation.resume(returning: ready) } else { link.request(.max(1)) }
      }
    } onCancel: {
      link.cancel()
      receive(completion: .finished)
    }
  }

  func receive(subscription: any Subscription) { _ = link.attach(subscription) }

  func receive(_ input: Output) -> Subscribers.Demand {
    let waiting = state.withLock { state in
      let waiting = state.waiting.popFirst()
      if waiting == nil, state.end == nil { state.values.append(input) }
      return waiting
    }
    waiting?.resume(returning: .success(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    link.end()
    var (waiting, element) = state.withLock { state in
      if state.end == nil { state.end = completion }
      defer { state.waiting = Queue() }
      // Those that wait have seen all values.
      return (state.waiting, state.waiting.isEmpty ? nil : state.next() ?? nil)
    }
    // The first is told the failure, and the others the end.
    waiting.popFirst()?.resume(returning: element)
    while let other = waiting.popFirst() { other.resume(returning: nil) }
  }
}
