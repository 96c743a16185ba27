internal import Synchronization

/// Passes the values of a publisher to closures on the main actor, in order.
///
/// Values that arrive on the main actor are passed on at once. Other values wait for it.
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
    // The task runs at once if this is the main actor.
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
  /// Passes every value and the completion to closures on the main actor.
  ///
  /// Values that arrive on the main actor are passed on at once, and others in order when it is
  /// free.
  /// After a cancellation on the main actor, no value arrives.
  public func sink(
    on actor: MainActor = .shared,
    receiveCompletion: @escaping @MainActor @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor @Sendable (Output) -> Void
  ) -> AnyCancellable {
    MainActorSink(completion: receiveCompletion, value: receiveValue).connect(to: self)
  }
}

extension Publisher where Failure == Never {
  /// Passes every value to a closure on the main actor.
  public func sink(
    on actor: MainActor = .shared, receiveValue: @escaping @MainActor @Sendable (Output) -> Void
  ) -> AnyCancellable {
    sink(on: actor, receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
