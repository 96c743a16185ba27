extension LegoScope {
  /// A store of one element of a collection.
  ///
  /// It ends as <doc:Features> says.
  ///
  /// - Parameters:
  ///   - keyPath: The collection.
  ///   - id: The element's id.
  ///   - change: Makes a change of this part of the id and a change of the element.
  /// - Returns: A store of the element, or `nil` when there is none with the id.
  public func scope<C: Collection & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, C> & Sendable, id: C.Element.ID,
    change: @escaping @Sendable (C.Element.ID, PartChange) -> Change
  ) -> LegoScope<C.Element, PartChange>?
  where C.Element: Identifiable & Equatable & Sendable, C.Element.ID: Sendable {
    part({ _ in .element(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// A store of one value of a dictionary, which ends as that of an element does.
  ///
  /// - Parameters:
  ///   - keyPath: The dictionary.
  ///   - key: The value's key.
  ///   - change: Makes a change of this part of the key and a change of the value.
  /// - Returns: A store of the value, or `nil` when there is none with the key.
  public func scope<
    Key: Hashable & Sendable, Part: Equatable & Sendable, PartChange: Equatable & Sendable
  >(
    _ keyPath: any KeyPath<Design, [Key: Part]> & Sendable, id key: Key,
    change: @escaping @Sendable (Key, PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    part({ _ in .value(of: keyPath, key) }, change: { change(key, $0) })
  }

  /// A store of a part that may be there, which ends as that of an element does.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - change: Makes a change of this part of a change of the part.
  /// - Returns: A store of the part, or `nil` when it is not there.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    part({ _ in PartLookup(read: { $0[keyPath: keyPath] }) }, change: change)
  }

  /// A store of a part that may be there, which also ends when one with another id takes its
  /// place.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - change: Makes a change of this part of a change of the part.
  /// - Returns: A store of the part, or `nil` when it is not there.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    part({ .shown(now: $0) { $0[keyPath: keyPath] } }, change: change)
  }

  /// A store of the payload of one case of an enum, which ends as that of an element does.
  ///
  /// - Parameters:
  ///   - keyPath: The enum.
  ///   - extract: The payload, or `nil` for another case.
  ///   - change: Makes a change of this part of a change of the payload.
  /// - Returns: A store of the payload, or `nil` when the enum is another case.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    part({ _ in PartLookup(read: { extract($0[keyPath: keyPath]) }) }, change: change)
  }

  /// A store of the payload of one case of an enum, which also ends when one with another id
  /// takes its place.
  ///
  /// - Parameters:
  ///   - keyPath: The enum.
  ///   - extract: The payload, or `nil` for another case.
  ///   - change: Makes a change of this part of a change of the payload.
  /// - Returns: A store of the payload, or `nil` when the enum is another case.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    part({ .shown(now: $0) { extract($0[keyPath: keyPath]) } }, change: change)
  }

  /// A store of a part that may go, found in the design as it is now.
  func part<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ find: (Design) -> PartLookup<Design, Part>?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    guard let part = root.watch(within: guardian, find) else { return nil }
    return LegoScope<Part, PartChange>(
      read: part.current, send: { [send] in send(change($0), $1) }, owner: owner,
      watch: part.observe, designs: part.designs, guardian: part.memory.guardian, root: part.root)
  }
}

extension PartLookup where Part: Identifiable, Part.ID: Sendable {
  /// Finds the part that a design shows now, and no other that takes its place.
  fileprivate static func shown(
    now whole: Whole, _ read: @escaping @Sendable (Whole) -> Part?
  ) -> PartLookup? {
    guard let id = read(whole)?.id else { return nil }
    return PartLookup(read: { read($0).flatMap { $0.id == id ? $0 : nil } })
  }
}
