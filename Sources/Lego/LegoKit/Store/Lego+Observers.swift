internal import LegoPublishers
public import Observation
internal import Synchronization

extension Lego {
  /// Adds an observer, and returns the token that removes it.
  func token(for observer: Observer<B>) -> AnyCancellable {
    add(observer)
    return AnyCancellable { [weak self] in self?.remove(observer) ?? observer.cancel() }
  }

  /// Adds an observer.
  ///
  /// If it has a ``Observer/start`` closure, the current design is delivered to it through the
  /// queue, before the next change. If the store is closed, its `start` and `end` closures are
  /// called at once.
  func add(_ observer: Observer<B>) {
    let overrides = overrides
    let (last, role) = state.withLock { $0.add(observer, overrides: overrides) }
    if let last {
      // A closed store delivers no more changes, so this is also the last delivery.
      observer.start?(last)
      observer.end?()
    }
    take(role)
  }

  /// Cancels and removes an observer.
  func remove(_ observer: Observer<B>) {
    observer.cancel()
    // The old array is kept so that the observer's closures are freed outside the lock.
    let old = state.withLock { state in
      let old = state.observers
      state.observers.removeAll { $0 === observer }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Registers a closure that receives each new design under the lock, until it returns `false`.
  ///
  /// - Parameter make: Receives the current design, and returns a value and the closure, or `nil`
  ///   to register nothing. It is called under the lock.
  /// - Returns: The value, or `nil` if `make` returned `nil`.
  func maintain<Value>(
    _ make: (B.Design) -> (Value, @Sendable (B.Design) -> Bool)?
  ) -> Value? where Value: Sendable {
    state.withLock { state in
      guard let (value, update) = make(state.design) else { return nil }
      state.scopes.append(update)
      return value
    }
  }

  // MARK: - Problems

  /// Performs the remaining work, outside the lock, after a change has been applied or refused.
  @usableFromInline func finish(_ cleanup: LegoState<B>.Cleanup, of change: B.Change) {
    finishCancelling(cleanup.ended)
    for waker in cleanup.wakers { waker() }
    switch cleanup.problem {
    case nil: break
    case .missingPart:
      report("ignored a change of a part that does not exist: \(Description.of(change))")
    case .closed:
      report("ignored a change after the store was closed: \(Description.of(change))")
    }
  }

  /// Reports a problem to the ``Contractors/problemSink``.
  func report(_ problem: String) {
    Injection.within(overrides) { Contractors().problemSink.write("\(B.self): \(problem)") }
  }

  /// Reports changes that cause one another without end, unless the array is empty.
  @usableFromInline func report(_ cycle: [B.Change]) {
    guard !cycle.isEmpty else { return }
    let texts = cycle.map(Description.of)
    tracer?(.runaway(cycle: texts))
    report("changes cause one another without end: \(texts.joined(separator: " → "))")
  }
}

extension LegoState {
  /// Adds an observer and, if it has a ``Observer/start`` closure, queues a record for it.
  ///
  /// - Returns: The record to deliver at once if the store is closed, and the caller's role in the
  ///   delivery.
  fileprivate mutating func add(
    _ observer: Observer<B>, overrides: InjectionScope?
  ) -> (last: Record<B>?, role: Delivery.Role) {
    func first(session: UInt64) -> Record<B> {
      Record(
        nil, number: number, root: 0, from: nil, to: design, for: [observer], overrides: overrides,
        session: session)
    }
    if phase == .closed { return (first(session: 0), .leave) }
    observers.append(observer)
    if observer.start == nil { return (nil, .leave) }
    // The count is 0 so that the caller never waits for room in the queue.
    let (session, role) = delivery.admit(from: .current, count: 0)
    append(first(session: session))
    return (nil, role)
  }
}

/// Writes each change, and the differences that it made to the design, to a sink.
enum ChangeLogger<B: Blueprint> {
  static func observer(writingTo sink: LogSink) -> Observer<B> {
    Observer(change: { record in
      guard let change = record.change else { return }
      let difference = record.before.map { Difference(from: $0, to: record.after) }
      let lines = difference.map { $0.entries.map(\.description) } ?? []
      let text = "\(B.self) #\(record.number) \(Description.of(change))"
      sink.write(([text] + (lines.isEmpty ? ["(no difference)"] : lines)).joined(separator: "\n  "))
    })
  }
}

// MARK: - Observation

extension Lego: Observable {}

extension Lego {
  /// Records a read of the design with `Observation`.
  @usableFromInline func noteAccess() {
    if !wasRead.load(ordering: .relaxed) { wasRead.store(true, ordering: .sequentiallyConsistent) }
    registrar.access(self, keyPath: designKeyPath)
  }

  /// Notifies the closures that track the design with `Observation`.
  ///
  /// It is called outside the lock, after a change has been applied.
  ///
  /// `Observation` registers a tracking closure only when the closure returns. A change that
  /// another thread applies between the closure's read and its return is therefore not reported
  /// until the next change. Readers that need every change use ``changes``, and readers that need
  /// the latest design use ``designs``.
  @usableFromInline func notifyTrackers() {
    registrar.withMutation(of: self, keyPath: designKeyPath) {}
  }
}
