internal import Synchronization

/// A change that is being told, as the thread that tells it knows it.
///
/// A build that happens inside is found by it, and never waits for the thread that it is on. It is
/// bound to the thread only where that matters, because it costs more than a build: see
/// ``Tellers``.
@usableFromInline final class CallOut: Sendable {
  private static let current = TaskLocal<CallOut?>(wrappedValue: nil)

  private let over = Atomic(false)
  /// The one that it happens in, of another store.
  private let outer: CallOut?

  init() {
    // A task that was started in a call-out keeps it for as long as it runs.
    outer = Self.live
  }

  /// Whether what was told has been told.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// The innermost call-out of this thread that is not over.
  @usableFromInline static var live: CallOut? {
    var callOut = current.get()
    while let inner = callOut, inner.isOver { callOut = inner.outer }
    return callOut
  }

  /// Runs what is told.
  @usableFromInline func run(_ body: () -> Void) {
    Self.current.withValue(self, operation: body)
    over.store(true, ordering: .releasing)
  }

  /// Whether another is this one or happens in it.
  func contains(_ other: CallOut?) -> Bool {
    var callOut = other
    while let inner = callOut {
      if inner === self { return true }
      callOut = inner.outer
    }
    return false
  }
}
