public import Synchronization

/// A subscriber's connection to a future: it gives the result once it is both there and wanted.
@usableFromInline final class FutureSubscription<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline struct State: Sendable {
    @usableFromInline var subscriber: (ErasedSubscriber<Output, Failure>)?
    @usableFromInline var core: FutureCore<Output, Failure>?
    @usableFromInline var isWanted = false
    @usableFromInline var outcome: FutureOutcome<Output, Failure>?

    @inlinable init(
      subscriber: ErasedSubscriber<Output, Failure>, core: FutureCore<Output, Failure>
    ) {
      self.subscriber = subscriber
      self.core = core
    }

    /// Takes the subscriber when it can be told.
    @inlinable mutating func takeIfReady() -> (
      ErasedSubscriber<Output, Failure>, FutureOutcome<Output, Failure>
    )? {
      guard let subscriber, let outcome else { return nil }
      // An end without a value needs no demand.
      if case .result(.success) = outcome, !isWanted { return nil }
      self.subscriber = nil
      core = nil
      return (subscriber, outcome)
    }
  }

  @usableFromInline let state: Mutex<State>
  @usableFromInline let isCancelled = Atomic(false)

  @inlinable init(
    _ subscriber: ErasedSubscriber<Output, Failure>, of core: FutureCore<Output, Failure>
  ) {
    state = Mutex(State(subscriber: subscriber, core: core))
  }

  /// What the subscriber is handed.
  @inlinable var handle: Handle {
    Handle(request: { self.request($0) }, cancel: { self.cancel() })
  }

  @inlinable func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    tell(
      state.withLock { state in
        state.isWanted = true
        return state.takeIfReady()
      })
  }

  @inlinable func settle(_ outcome: FutureOutcome<Output, Failure>) {
    tell(
      state.withLock { state in
        state.outcome = outcome
        return state.takeIfReady()
      })
  }

  @inlinable func cancel() {
    isCancelled.store(true, ordering: .releasing)
    let old = state.withLock { state in
      let old = (state.subscriber, state.core)
      state.subscriber = nil
      state.core = nil
      return old
    }
    old.1?.remove(self)
  }

  @inlinable func tell(
    _ ready: (ErasedSubscriber<Output, Failure>, FutureOutcome<Output, Failure>)?
  ) {
    guard let (subscriber, outcome) = ready else { return }
    if case .result(.success(let value)) = outcome { _ = subscriber.receive(value) }
    if !isCancelled.load(ordering: .acquiring) {
      subscriber.receive(completion: outcome.completion)
    }
  }
}
