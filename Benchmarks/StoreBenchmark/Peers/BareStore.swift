import Synchronization

/// The least that a store can be: a design behind a `Mutex`, and one closure that is told.
///
/// It has no adaptors, cannot be built on from inside its observer's call, and lets two threads
/// call the observer at once, in either order.
final class BareStore: Sendable {
  private let design = Mutex(Count.Design())
  private let observer: @Sendable (Count.Design) -> Void

  init(_ observer: @escaping @Sendable (Count.Design) -> Void) {
    self.observer = observer
  }

  func build(_ change: Count.Change) {
    let after = design.withLock { design in
      Count().change(&design, on: change)
      return design
    }
    observer(after)
  }
}
