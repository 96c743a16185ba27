internal import Synchronization

/// Finds one part in a design.
struct PartLookup<Whole: Sendable, Part: Sendable>: Sendable {
  /// Returns the part, or `nil` if the design does not contain it.
  let find: @Sendable (Whole) -> Part?

  init(_ find: @escaping @Sendable (Whole) -> Part?) {
    self.find = find
  }

  /// Returns a lookup for the element with the given ID in a collection.
  static func element<C: Collection & Sendable>(
    of place: any KeyPath<Whole, C> & Sendable, _ id: Part.ID
  ) -> PartLookup where C.Element == Part, Part: Identifiable, Part.ID: Sendable {
    let hint = PositionHint()
    return PartLookup { hint.element(id, of: $0[keyPath: place]) }
  }

  /// Returns a lookup for the value with the given key in a dictionary.
  static func value<Key: Hashable & Sendable>(
    of place: any KeyPath<Whole, [Key: Part]> & Sendable, _ key: Key
  ) -> PartLookup {
    PartLookup { $0[keyPath: place][key] }
  }

  /// Returns a lookup for the screen with the given ID.
  static func screen<Holder: ScreenHolder>(
    of place: any KeyPath<Whole, Holder> & Sendable, _ id: Part.ID
  ) -> PartLookup where Holder.Screen == Part, Part: Identifiable, Part.ID: Sendable {
    PartLookup { $0[keyPath: place].stack[id: id] }
  }

  /// Returns a lookup for the part that the design currently contains.
  ///
  /// If a part with a different ID replaces it, the lookup returns `nil`.
  ///
  /// - Parameters:
  ///   - whole: The current design.
  ///   - read: Returns the part, or `nil` if a design does not contain it.
  /// - Returns: The lookup, or `nil` if the current design does not contain the part.
  static func current(
    in whole: Whole, _ read: @escaping @Sendable (Whole) -> Part?
  ) -> PartLookup? where Part: Identifiable, Part.ID: Sendable {
    guard let id = read(whole)?.id else { return nil }
    return PartLookup { read($0).flatMap { $0.id == id ? $0 : nil } }
  }
}

/// Remembers the position of the last element found, so that the next search can start near it.
final class PositionHint: Sendable {
  private let offset = Atomic(0)

  init() {}

  /// Returns the element with the given ID, or `nil` if it does not exist.
  func element<C: Collection>(_ id: C.Element.ID, of elements: C) -> C.Element?
  where C.Element: Identifiable {
    index(of: id, in: elements).map { elements[$0] }
  }

  /// Changes the element with the given ID in place.
  ///
  /// - Returns: The result of the closure, or `nil` if the element does not exist.
  func change<C: MutableCollection, Result>(
    _ id: C.Element.ID, of elements: inout C, _ body: (inout C.Element) -> Result
  ) -> Result? where C.Element: Identifiable {
    index(of: id, in: elements).map { body(&elements[$0]) }
  }

  /// Returns the index of the element with the given ID, or `nil` if it does not exist.
  ///
  /// The search tries the last position and its neighbors first, and then all elements.
  private func index<C: Collection>(of id: C.Element.ID, in elements: C) -> C.Index?
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
