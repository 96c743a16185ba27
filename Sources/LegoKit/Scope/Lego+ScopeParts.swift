extension Lego {
  /// A store of one element of a collection.
  ///
  /// When the element goes, the sequences of the store end, its ``LegoScope/design`` stays what
  /// it was last, and a build is reported to the ``Contractors/problemSink`` and ignored. That
  /// stays so when another element of the same id comes later.
  ///
  /// - Parameters:
  ///   - keyPath: The collection.
  ///   - id: The element's id.
  ///   - change: Makes a change of the whole of the id and a change of the element.
  /// - Returns: A store of the element, or `nil` when there is none with the id.
  public func scope<C: Collection & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, C> & Sendable, id: C.Element.ID,
    change: @escaping @Sendable (C.Element.ID, PartChange) -> B.Change
  ) -> LegoScope<C.Element, PartChange>?
  where C.Element: Identifiable & Equatable & Sendable, C.Element.ID: Sendable {
    wholeScope().scope(keyPath, id: id, change: change)
  }

  /// A store of one value of a dictionary, which ends as that of an element does.
  ///
  /// - Parameters:
  ///   - keyPath: The dictionary.
  ///   - key: The value's key.
  ///   - change: Makes a change of the whole of the key and a change of the value.
  /// - Returns: A store of the value, or `nil` when there is none with the key.
  public func scope<
    Key: Hashable & Sendable, Part: Equatable & Sendable, PartChange: Equatable & Sendable
  >(
    _ keyPath: any KeyPath<B.Design, [Key: Part]> & Sendable, id key: Key,
    change: @escaping @Sendable (Key, PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope().scope(keyPath, id: key, change: change)
  }

  /// A store of a part that may be there, which ends as that of an element does.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - change: Makes a change of the whole of a change of the part.
  /// - Returns: A store of the part, or `nil` when it is not there.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<B.Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope().scope(presented: keyPath, change: change)
  }

  /// A store of a part that may be there, which also ends when one with another id takes its
  /// place.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - change: Makes a change of the whole of a change of the part.
  /// - Returns: A store of the part, or `nil` when it is not there.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<B.Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    wholeScope().scope(presented: keyPath, change: change)
  }

  /// A store of the payload of one case of an enum, which ends as that of an element does.
  ///
  /// - Parameters:
  ///   - keyPath: The enum.
  ///   - extract: The payload, or `nil` for another case.
  ///   - change: Makes a change of the whole of a change of the payload.
  /// - Returns: A store of the payload, or `nil` when the enum is another case.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope().scope(keyPath, case: extract, change: change)
  }

  /// A store of the payload of one case of an enum, which also ends when one with another id
  /// takes its place.
  ///
  /// - Parameters:
  ///   - keyPath: The enum.
  ///   - extract: The payload, or `nil` for another case.
  ///   - change: Makes a change of the whole of a change of the payload.
  /// - Returns: A store of the payload, or `nil` when the enum is another case.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    wholeScope().scope(keyPath, case: extract, change: change)
  }
}
