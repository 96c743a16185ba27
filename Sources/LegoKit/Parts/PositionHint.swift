public import Synchronization

/// Where an element was found last, to look there first.
@usableFromInline final class PositionHint: Sendable {
  @usableFromInline let offset = Atomic(0)

  @inlinable init() {}

  /// The element with an id.
  @inlinable func element<C: Collection>(_ id: C.Element.ID, of elements: C) -> C.Element?
  where C.Element: Identifiable {
    index(of: id, in: elements).map { elements[$0] }
  }

  /// Whether there is an element with an id.
  @inlinable func hasElement<C: Collection>(_ id: C.Element.ID, in elements: C) -> Bool
  where C.Element: Identifiable {
    index(of: id, in: elements) != nil
  }

  /// Changes the element with an id in its place.
  ///
  /// - Returns: What the change answers, or `nil` when there is no such element.
  @inlinable func change<C: MutableCollection, Result>(
    _ id: C.Element.ID, of elements: inout C, _ body: (inout C.Element) -> Result
  ) -> Result? where C.Element: Identifiable {
    index(of: id, in: elements).map { body(&elements[$0]) }
  }

  /// The index of the element with an id.
  ///
  /// An element that others were inserted or removed before is found beside its last place.
  @inlinable func index<C: Collection>(of id: C.Element.ID, in elements: C) -> C.Index?
  where C.Element: Identifiable {
    let last = offset.load(ordering: .relaxed)
    var index = elements.index(
      elements.startIndex, offsetBy: max(0, last - 1), limitedBy: elements.endIndex)
    for place in max(0, last - 1)...last + 1 {
      guard let here = index, here != elements.endIndex else { break }
      if elements[here].id == id {
        offset.store(place, ordering: .relaxed)
        return here
      }
      index = elements.index(after: here)
    }
    for (place, index) in elements.indices.enumerated() where elements[index].id == id {
      offset.store(place, ordering: .relaxed)
      return index
    }
    return nil
  }
}
