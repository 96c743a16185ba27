internal import Synchronization

/// One who is told of changes, until cancelled.
final class Observer<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  enum Body: Sendable {
    /// Told of the designs that differ from the one before.
    case design(@Sendable (Design) -> Void)
    /// Told of every change.
    case record(@Sendable (Record<Design, Change>) -> Void)
  }

  private let body: Body
  /// Called once when the store goes away.
  let end: (@Sendable () -> Void)?
  private let isActive = Atomic(true)

  init(_ body: Body, end: (@Sendable () -> Void)? = nil) {
    self.body = body
    self.end = end
  }

  func cancel() {
    isActive.store(false, ordering: .releasing)
  }

  func tell(_ record: Record<Design, Change>, isChanged: Bool) {
    guard isActive.load(ordering: .acquiring) else { return }
    switch body {
    case .design(let tell): if isChanged { tell(record.design) }
    case .record(let tell): tell(record)
    }
  }
}
