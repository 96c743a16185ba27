internal import Synchronization

/// Passes the values and the completion of a publisher to closures on the main actor, in order.
///
/// Events that arrive on the main actor are passed on immediately. Other events wait until the main
/// actor is free.
final class MainActorSink<Input: Sendable, Failure: Error>: Sendable {
  private enum Event: Sendable {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  private let events = Mutex(Queue<Event>())
  private let isCancelled = Atomic(false)
  private let onValue: @MainActor @Sendable (Input) -> Void
  private let onCompletion: @MainActor @Sendable (Subscribers.Completion<Failure>) -> Void

  init(
    completion: @escaping @MainActor @Sendable (Subscribers.Completion<Failure>) -> Void,
    value: @escaping @MainActor @Sendable (Input) -> Void
  ) {
    onCompletion = completion
    onValue = value
  }

  func connect<P: Publisher>(to publisher: P) -> AnyCancellable
  where P.Output == Input, P.Failure == Failure {
    let token = publisher.sink(
      receiveCompletion: { self.add(.completion($0)) }, receiveValue: { self.add(.value($0)) })
    return AnyCancellable {
      self.isCancelled.store(true, ordering: .releasing)
      token.cancel()
    }
  }

  private func add(_ event: Event) {
    events.withLock { $0.append(event) }
    // On the main actor, the task runs immediately.
    Task.immediate { @MainActor in deliver() }
  }

  @MainActor private func deliver() {
    while let event = events.withLock({ $0.popFirst() }) {
      if isCancelled.load(ordering: .acquiring) { continue }
      switch event {
      case .value(let value): onValue(value)
      case .completion(let completion): onCompletion(completion)
      }
    }
  }
}

extension Publisher {
  /// Attaches a subscriber that passes each value and the completion to closures on the main actor,
  /// in order.
  ///
  /// Events that arrive on the main actor are passed to the closures immediately. Other events wait
  /// until the main actor is free. After the token is cancelled on the main actor, neither closure
  /// is called again.
  ///
  /// - Parameters:
  ///   - actor: The main actor, on which the closures are called.
  ///   - receiveCompletion: A closure that receives the completion.
  ///   - receiveValue: A closure that receives each value.
  /// - Returns: A token that ends the subscription when it is cancelled or deallocated.
  public func sink(
    on actor: MainActor = .shared,
    receiveCompletion: @escaping @MainActor @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor @Sendable (Output) -> Void
  ) -> AnyCancellable {
    MainActorSink(completion: receiveCompletion, value: receiveValue).connect(to: self)
  }
}

extension Publisher where Failure == Never {
  /// Attaches a subscriber that passes each value to a closure on the main actor, in order.
  ///
  /// - Parameters:
  ///   - actor: The main actor, on which the closure is called.
  ///   - receiveValue: A closure that receives each value.
  /// - Returns: A token that ends the subscription when it is cancelled or deallocated.
  public func sink(
    on actor: MainActor = .shared, receiveValue: @escaping @MainActor @Sendable (Output) -> Void
  ) -> AnyCancellable {
    sink(on: actor, receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
