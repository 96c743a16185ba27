public import Synchronization

/// One who is told of changes, until cancelled.
@usableFromInline
final class Observer<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  @usableFromInline enum Body: Sendable {
    /// Told of the designs that differ from the one before.
    case design(@Sendable (Design) -> Void)
    /// Told of every change, with the design before and after it.
    case change(@Sendable (Telling<Change>, Design?, Design) -> Void)
  }

  @usableFromInline let body: Body
  /// Called once when the store goes away.
  let end: (@Sendable () -> Void)?
  @usableFromInline let isActive = Atomic(true)

  init(_ body: Body, end: (@Sendable () -> Void)? = nil) {
    self.body = body
    self.end = end
  }

  func cancel() {
    isActive.store(false, ordering: .releasing)
  }

  @inlinable func tell(
    _ telling: Telling<Change>, _ before: Design?, _ after: Design, _ isChanged: Bool
  ) {
    guard isActive.load(ordering: .acquiring) else { return }
    switch body {
    case .design(let tell): if isChanged { tell(after) }
    case .change(let tell): tell(telling, before, after)
    }
  }
}
