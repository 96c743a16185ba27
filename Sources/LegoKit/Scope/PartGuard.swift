internal import Synchronization

/// Says of a part that may go whether it went; once it did, it stays gone.
@usableFromInline final class PartGuard: Sendable {
  private let gone = Atomic(false)

  /// Whether the part went; set under the store's lock.
  var isGone: Bool { gone.load(ordering: .acquiring) }

  func noteEnd() {
    gone.store(true, ordering: .releasing)
  }
}
