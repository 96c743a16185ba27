/// The observers of a change: those there were when it was applied.
@usableFromInline
final class ObserverList<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  let all: [Observer<Design, Change>]
  /// Most stores have one observer, which is told without a walk through an array.
  @usableFromInline let first: Observer<Design, Change>?
  /// Its closures, which are called from here without counting a reference to it.
  @usableFromInline let firstDesign: Observer<Design, Change>.NotifyDesign?
  @usableFromInline let firstChange: Observer<Design, Change>.NotifyChange?
  @usableFromInline let rest: [Observer<Design, Change>]
  /// Whether there is one observer, which wants designs alone.
  @usableFromInline let wantsDesigns: Bool

  init(_ observers: [Observer<Design, Change>]) {
    all = observers
    first = observers.first
    firstDesign = observers.first?.design
    firstChange = observers.first?.change
    rest = Array(observers.dropFirst())
    wantsDesigns = observers.count == 1 && observers[0].change == nil
  }

  /// Whether the design before a change is wanted.
  @inlinable var comparesDesigns: Bool { first != nil }

  func adding(_ observer: Observer<Design, Change>) -> ObserverList {
    ObserverList(all + [observer])
  }

  func removing(_ observer: Observer<Design, Change>) -> ObserverList {
    ObserverList(all.filter { $0 !== observer })
  }

  /// Tells one observer that wants designs alone: what else there is to tell is not put together.
  @inlinable func notify(_ before: Design?, _ after: Design) {
    // To bind the observer would count a reference to it.
    guard first?.isNotified ?? false, before != after else { return }
    firstDesign?(after)
  }

  @inlinable func notify(
    _ notification: ChangeNotification<Change>, _ before: Design?, _ after: Design
  ) {
    guard let isFirstActive = first?.isNotified else { return }
    let isChanged = before != after
    if isFirstActive {
      if isChanged { firstDesign?(after) }
      firstChange?(notification, before, after)
    }
    if rest.isEmpty { return }
    for observer in rest { observer.notify(notification, before, after, isChanged) }
  }
}
