public import Synchronization

/// One who is told of changes, until cancelled.
@usableFromInline final class Observer<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  @usableFromInline enum Body: Sendable {
    /// Told of the designs that differ from the one before.
    case design(@Sendable (Design) -> Void)
    /// Told of every change.
    case record(@Sendable (Record<Design, Change>) -> Void)
  }

  @usableFromInline let body: Body
  /// Called once when the store goes away.
  @usableFromInline let end: (@Sendable () -> Void)?
  @usableFromInline let isActive = Atomic(true)

  @inlinable init(_ body: Body, end: (@Sendable () -> Void)? = nil) {
    self.body = body
    self.end = end
  }

  @inlinable func cancel() {
    isActive.store(false, ordering: .releasing)
  }

  @inlinable func tell(_ record: Record<Design, Change>, isChanged: Bool) {
    guard isActive.load(ordering: .acquiring) else { return }
    switch body {
    case .design(let tell): if isChanged { tell(record.design) }
    case .record(let tell): tell(record)
    }
  }
}
