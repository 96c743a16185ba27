public import Synchronization

/// A change that has been applied but not yet delivered.
///
/// It is an object, because copying such a large generic value takes longer than an allocation.
@usableFromInline final class Record<B: Blueprint>: Sendable {
  /// The change, or `nil` if this is the first delivery to a new observer.
  @usableFromInline let change: B.Change?
  /// The change's number in its store, starting at 1.
  @usableFromInline let number: UInt64
  /// The number of the build that caused the change, or 0 if none did.
  ///
  /// For a build, it is the change's own number.
  @usableFromInline let root: UInt64
  /// The design before the change, if an observer or an adaptor compares designs.
  @usableFromInline let before: B.Design?
  /// The design after the change.
  @usableFromInline let after: B.Design
  /// The observers at the time when the change was applied.
  @usableFromInline let observers: [Observer<B>]
  /// The overrides that the change is delivered under.
  @usableFromInline let overrides: InjectionScope?
  /// The session of ``Delivery`` that the change belongs to.
  @usableFromInline let session: UInt64

  @inlinable init(
    _ change: B.Change?, number: UInt64, root: UInt64, from before: B.Design?, to after: B.Design,
    for observers: [Observer<B>], overrides: InjectionScope?, session: UInt64
  ) {
    self.change = change
    self.number = number
    self.root = root
    self.before = before
    self.after = after
    self.observers = observers
    self.overrides = overrides
    self.session = session
  }

  /// Notifies the observers.
  @inlinable func notifyObservers() {
    if observers.isEmpty { return }
    let isChanged = change != nil && before != after
    for observer in observers { observer.notify(self, isChanged: isChanged) }
  }
}

/// An observer of a store, until it is cancelled.
@usableFromInline final class Observer<B: Blueprint>: Sendable {
  /// Receives each design that differs from the one before.
  @usableFromInline let design: (@Sendable (B.Design) -> Void)?
  /// Receives every change.
  @usableFromInline let change: (@Sendable (Record<B>) -> Void)?
  /// Receives the design at the time when the observer was added, before any change.
  @usableFromInline let start: (@Sendable (Record<B>) -> Void)?
  /// Called once when the store is closed or freed.
  @usableFromInline let end: (@Sendable () -> Void)?
  @usableFromInline let isActive = Atomic(true)

  init(
    start: (@Sendable (Record<B>) -> Void)? = nil, design: (@Sendable (B.Design) -> Void)? = nil,
    change: (@Sendable (Record<B>) -> Void)? = nil, end: (@Sendable () -> Void)? = nil
  ) {
    self.start = start
    self.design = design
    self.change = change
    self.end = end
  }

  func cancel() {
    isActive.store(false, ordering: .releasing)
  }

  @inlinable func notify(_ record: Record<B>, isChanged: Bool) {
    guard isActive.load(ordering: .acquiring) else { return }
    if record.change == nil {
      start?(record)
    } else {
      if isChanged { design?(record.after) }
      change?(record)
    }
  }
}
