public import Synchronization

/// An observer of changes, until it is cancelled.
@usableFromInline
final class Observer<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  @usableFromInline typealias NotifyDesign = @Sendable (Design) -> Void
  @usableFromInline typealias NotifyChange =
    @Sendable (ChangeNotification<Change>, Design?, Design) -> Void

  /// Told of the designs that differ from the one before.
  @usableFromInline let design: NotifyDesign?
  /// Told of every change, with the design before and after it.
  @usableFromInline let change: NotifyChange?
  /// Called once when the store goes away.
  @usableFromInline let end: (@Sendable () -> Void)?
  @usableFromInline let isActive = Atomic(true)

  @inlinable init(
    design: NotifyDesign? = nil, change: NotifyChange? = nil, end: (@Sendable () -> Void)? = nil
  ) {
    self.design = design
    self.change = change
    self.end = end
  }

  func cancel() {
    isActive.store(false, ordering: .releasing)
  }

  /// Whether it was not cancelled.
  @inlinable var isNotified: Bool { isActive.load(ordering: .acquiring) }

  @inlinable func notify(
    _ notification: ChangeNotification<Change>, _ before: Design?, _ after: Design,
    _ isChanged: Bool
  ) {
    guard isNotified else { return }
    if isChanged { design?(after) }
    change?(notification, before, after)
  }
}
