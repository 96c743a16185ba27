/// Those who were there when a change was applied, and are told of it.
@usableFromInline
final class Audience<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  let observers: [Observer<Design, Change>]
  /// Most stores have one observer, which is told without a walk through an array.
  @usableFromInline let first: Observer<Design, Change>?
  /// Its closures, which are called from here without counting a reference to it.
  @usableFromInline let firstDesign: Observer<Design, Change>.TellDesign?
  @usableFromInline let firstChange: Observer<Design, Change>.TellChange?
  @usableFromInline let rest: [Observer<Design, Change>]

  init(_ observers: [Observer<Design, Change>]) {
    self.observers = observers
    first = observers.first
    firstDesign = observers.first?.design
    firstChange = observers.first?.change
    rest = Array(observers.dropFirst())
  }

  /// Whether the design before a change is wanted.
  @inlinable var comparesDesigns: Bool { first != nil }

  func adding(_ observer: Observer<Design, Change>) -> Audience {
    Audience(observers + [observer])
  }

  func removing(_ observer: Observer<Design, Change>) -> Audience {
    Audience(observers.filter { $0 !== observer })
  }

  @inlinable func tell(_ telling: Telling<Change>, _ before: Design?, _ after: Design) {
    guard let isFirstActive = first?.isTold else { return }
    let isChanged = before != after
    if isFirstActive {
      if isChanged { firstDesign?(after) }
      firstChange?(telling, before, after)
    }
    if rest.isEmpty { return }
    for observer in rest { observer.tell(telling, before, after, isChanged) }
  }
}
