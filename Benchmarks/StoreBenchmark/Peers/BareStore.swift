import Synchronization

/// The simplest possible store: a design behind a `Mutex`, and one closure as its observer.
///
/// It has no adaptors, and its observer cannot build changes. Two threads may call the observer at
/// the same time, and in either order.
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
