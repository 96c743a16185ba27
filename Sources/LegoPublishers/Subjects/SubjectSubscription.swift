public import Synchronization

/// A subscriber's place in a subject.
///
/// The demand is one number, so that the sender asks for no second lock.
@usableFromInline final class SubjectSubscription<Output: Sendable, Failure: Error>: Sendable {
  @inlinable static var cancelled: Int { -1 }

  /// How many values are still wanted, or `cancelled`.
  @usableFromInline let demand = Atomic(0)
  /// The number of the last value that was sent here; only the sender uses it.
  @usableFromInline let seen: Atomic<UInt64>
  @usableFromInline let core: Mutex<SubjectCore<Output, Failure>?>
  /// The subject, which lives as long as somebody listens.
  @usableFromInline let owner: Mutex<(any Subject<Output, Failure>)?>

  @inlinable init(_ core: SubjectCore<Output, Failure>, _ owner: any Subject<Output, Failure>) {
    self.core = Mutex(core)
    self.owner = Mutex(owner)
    seen = Atomic(0)
  }

  /// Takes one value's worth of demand.
  @inlinable func take() -> Bool {
    var current = demand.load(ordering: .acquiring)
    while current > 0 {
      if current == .max { return true }
      let (isDone, original) = demand.compareExchange(
        expected: current, desired: current - 1, ordering: .acquiringAndReleasing)
      if isDone { return true }
      current = original
    }
    return false
  }

  /// Adds demand; it has no effect after the end.
  @inlinable func add(_ more: Subscribers.Demand) {
    guard more > .none else { return }
    var current = demand.load(ordering: .acquiring)
    while current >= 0, current < .max {
      let sum = (Subscribers.Demand.max(current) + more).count
      let (isDone, original) = demand.compareExchange(
        expected: current, desired: sum, ordering: .acquiringAndReleasing)
      if isDone { return }
      current = original
    }
  }

  /// What the subscriber is handed.
  @inlinable var handle: Handle {
    Handle(request: { self.request($0) }, cancel: { self.cancel() })
  }

  @inlinable var isCancelled: Bool { demand.load(ordering: .acquiring) == Self.cancelled }

  @inlinable func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    add(demand)
    core.withLock { $0 }?.demandGrew(for: self)
  }

  @inlinable func cancel() {
    close()?.remove(self)
  }

  /// Marks the end.
  @discardableResult
  @inlinable func close() -> SubjectCore<Output, Failure>? {
    demand.store(Self.cancelled, ordering: .releasing)
    let owner = owner.withLock { owner in
      defer { owner = nil }
      return owner
    }
    withExtendedLifetime(owner) {}
    return core.withLock { core in
      defer { core = nil }
      return core
    }
  }
}
