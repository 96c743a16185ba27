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
  /// The overrides that it is told under.
  @usableFromInline let overrides: InjectionScope?
  /// Whose it is, as long as the turn is not passed on.
  @usableFromInline let origin: Tellers.Origin
  /// The term in which it came.
  @usableFromInline let term: UInt64

  @inlinable init(
    _ notification: ChangeNotification<Change>, _ before: Design?, _ after: Design,
    _ observers: ObserverList<Design, Change>, _ overrides: InjectionScope?,
    _ origin: Tellers.Origin, term: UInt64
  ) {
    self.notification = notification
    self.before = before
    self.after = after
    self.observers = observers
    self.overrides = overrides
    self.origin = origin
    self.term = term
  }
}
