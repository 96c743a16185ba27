public import Synchronization

/// One who is told of changes, until cancelled.
@usableFromInline
final class Observer<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  @usableFromInline typealias TellDesign = @Sendable (Design) -> Void
  @usableFromInline typealias TellChange = @Sendable (Telling<Change>, Design?, Design) -> Void

  /// Told of the designs that differ from the one before.
  @usableFromInline let design: TellDesign?
  /// Told of every change, with the design before and after it.
  @usableFromInline let change: TellChange?
  /// Called once when the store goes away.
  let end: (@Sendable () -> Void)?
  @usableFromInline let isActive = Atomic(true)

  init(
    design: TellDesign? = nil, change: TellChange? = nil, end: (@Sendable () -> Void)? = nil
  ) {
    self.design = design
    self.change = change
    self.end = end
  }

  func cancel() {
    isActive.store(false, ordering: .releasing)
  }

  /// Whether it was not cancelled.
  @inlinable var isTold: Bool { isActive.load(ordering: .acquiring) }

  @inlinable func tell(
    _ telling: Telling<Change>, _ before: Design?, _ after: Design, _ isChanged: Bool
  ) {
    guard isTold else { return }
    if isChanged { design?(after) }
    change?(telling, before, after)
  }
}
