/// Those who were there when a change was applied, and are told of it.
@usableFromInline final class Audience<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  @usableFromInline let observers: [Observer<Design, Change>]

  @inlinable init(_ observers: [Observer<Design, Change>]) {
    self.observers = observers
  }

  /// Whether the design before a change is wanted.
  @inlinable var comparesDesigns: Bool { !observers.isEmpty }

  @inlinable func adding(_ observer: Observer<Design, Change>) -> Audience {
    Audience(observers + [observer])
  }

  @inlinable func removing(_ observer: Observer<Design, Change>) -> Audience {
    Audience(observers.filter { $0 !== observer })
  }

  @inlinable func tell(_ record: Record<Design, Change>) {
    guard !observers.isEmpty else { return }
    let isChanged = record.old.map { $0 != record.design } ?? true
    for observer in observers { observer.tell(record, isChanged: isChanged) }
  }
}
