/// Those who were there when a change was applied, and are told of it.
@usableFromInline
final class Audience<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  @usableFromInline let observers: [Observer<Design, Change>]

  init(_ observers: [Observer<Design, Change>]) {
    self.observers = observers
  }

  /// Whether the design before a change is wanted.
  @inlinable var comparesDesigns: Bool { !observers.isEmpty }

  func adding(_ observer: Observer<Design, Change>) -> Audience {
    Audience(observers + [observer])
  }

  func removing(_ observer: Observer<Design, Change>) -> Audience {
    Audience(observers.filter { $0 !== observer })
  }

  @inlinable func tell(_ telling: Telling<Change>, _ before: Design?, _ after: Design) {
    if observers.isEmpty { return }
    let isChanged = before != after
    for observer in observers { observer.tell(telling, before, after, isChanged) }
  }
}
