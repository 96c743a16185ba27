/// A change that was applied and waits to be told.
@usableFromInline
struct Record<Design: Equatable & Sendable, Change: Equatable & Sendable>:
  Sendable
{
  @usableFromInline var notification: ChangeNotification<Change>
  /// The design before, kept only when someone wants to compare.
  @usableFromInline let before: Design?
  @usableFromInline let after: Design
  /// Those who observed when it was applied.
  @usableFromInline let observers: ObserverList<Design, Change>

  @inlinable init(
    _ notification: ChangeNotification<Change>, _ before: Design?, _ after: Design,
    _ observers: ObserverList<Design, Change>
  ) {
    self.notification = notification
    self.before = before
    self.after = after
    self.observers = observers
  }
}
