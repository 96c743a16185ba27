public import Synchronization

/// The design that an observer starts from, until its first change.
///
/// It is kept under the store's lock and looked at outside it: a key path may run a stranger's
/// code, which may use the store.
@usableFromInline final class StartingPoint<Design: Sendable>: Sendable {
  @usableFromInline let design = Mutex<Design?>(nil)
  @usableFromInline let isTaken = Atomic(false)

  /// Keeps the design.
  func keep(_ design: Design) {
    self.design.withLock { $0 = design }
  }

  @inlinable init() {}

  /// Takes the design, the first time.
  @inlinable func take() -> Design? {
    if isTaken.load(ordering: .relaxed) { return nil }
    isTaken.store(true, ordering: .relaxed)
    return design.withLock { $0.take() }
  }
}
