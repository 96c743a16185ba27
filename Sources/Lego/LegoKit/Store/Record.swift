public import Synchronization

/// An applied change that is yet to be delivered, or the first delivery to a new observer.
///
/// It is a class because copying such a large generic value takes longer than allocating an object.
@usableFromInline final class Record<B: Blueprint>: Sendable {
  /// The change, or `nil` if this is the first delivery to a new observer.
  @usableFromInline let change: B.Change?
  /// The change's number in its store, starting at 1, or the number of the last change if this is
  /// the first delivery to a new observer.
  @usableFromInline let number: UInt64
  /// The change's own number if it is a build; otherwise, the root of the effect that sent it.
  ///
  /// See ``EffectContext/root``. It is 0 if this is the first delivery to a new observer.
  @usableFromInline let root: UInt64
  /// The design before the change, or ``after`` if that was not kept.
  ///
  /// It is not optional, because the deinitializer looks up the type of each optional property.
  /// ``change`` remains optional: there is nothing to store for a first delivery.
  @usableFromInline let kept: B.Design
  /// A Boolean value that indicates whether ``kept`` is the design before the change.
  @usableFromInline let isBeforeKept: Bool
  /// The design after the change.
  @usableFromInline let after: B.Design
  /// The observers to notify: those that were registered when the change was applied.
  @usableFromInline let observers: [Observer<B>]
  /// The overrides to activate while the change is delivered.
  @usableFromInline let overrides: InjectionScope?
  /// The number of the ``Delivery`` session that the change belongs to, or 0 if there is none.
  @usableFromInline let session: UInt64

  @inlinable init(
    _ change: B.Change?, number: UInt64, root: UInt64, from before: B.Design?, to after: B.Design,
    for observers: [Observer<B>], overrides: InjectionScope?, session: UInt64
  ) {
    self.change = change
    self.number = number
    self.root = root
    kept = before ?? after
    isBeforeKept = before != nil
    self.after = after
    self.observers = observers
    self.overrides = overrides
    self.session = session
  }

  /// The design before the change, or `nil` if it was not kept.
  ///
  /// It is kept if the store has an observer or a hook, or an adaptor whose
  /// ``Adaptor/comparesDesigns`` is `true`.
  @inlinable var before: B.Design? { isBeforeKept ? kept : nil }

  /// Notifies the observers.
  @inlinable func notifyObservers() {
    if observers.isEmpty { return }
    let isChanged = change != nil && before != after
    for observer in observers { observer.notify(self, isChanged: isChanged) }
  }
}

/// An observer of a store.
///
/// It is notified until it is cancelled.
@usableFromInline final class Observer<B: Blueprint>: Sendable {
  /// Receives the design after each change that modified it.
  @usableFromInline let design: (@Sendable (B.Design) -> Void)?
  /// Receives every change, after ``design`` has been called.
  @usableFromInline let change: (@Sendable (Record<B>) -> Void)?
  /// Receives the design as it was when the observer was added, before any change.
  @usableFromInline let start: (@Sendable (Record<B>) -> Void)?
  /// Called when the store is closed or freed.
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
