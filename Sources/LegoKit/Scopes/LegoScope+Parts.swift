extension LegoScope {
  /// A store of one element of a collection.
  ///
  /// It ends with the element, as described in <doc:Features>.
  ///
  /// - Parameters:
  ///   - keyPath: The collection.
  ///   - id: The element's ID.
  ///   - change: Converts the ID and a change of the element into a change of this part.
  /// - Returns: A store of the element, or `nil` if there is no element with the ID.
  public func scope<C: Collection & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, C> & Sendable, id: C.Element.ID,
    change: @escaping @Sendable (C.Element.ID, PartChange) -> Change
  ) -> LegoScope<C.Element, PartChange>?
  where C.Element: Identifiable & Equatable & Sendable, C.Element.ID: Sendable {
    part({ _ in .element(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// A store of one value of a dictionary. It ends with the value.
  ///
  /// - Parameters:
  ///   - keyPath: The dictionary.
  ///   - key: The value's key.
  ///   - change: Converts the key and a change of the value into a change of this part.
  /// - Returns: A store of the value, or `nil` if there is no value for the key.
  public func scope<
    Key: Hashable & Sendable, Part: Equatable & Sendable, PartChange: Equatable & Sendable
  >(
    _ keyPath: any KeyPath<Design, [Key: Part]> & Sendable, id key: Key,
    change: @escaping @Sendable (Key, PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    part({ _ in .value(of: keyPath, key) }, change: { change(key, $0) })
  }

  /// A store of one screen of a path. It ends in the step in which the screen leaves the path.
  ///
  /// - Parameters:
  ///   - keyPath: The path.
  ///   - id: The screen's ID.
  ///   - change: Converts the ID and a change of the screen into a change of this part.
  /// - Returns: A store of the screen, or `nil` if there is no screen with the ID.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Stack<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> Change
  ) -> LegoScope<Screen, PartChange>? {
    part({ _ in .screen(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// A store of one presented screen. It ends in the step in which the screen is dismissed.
  ///
  /// - Parameters:
  ///   - keyPath: The presented screens.
  ///   - id: The screen's ID.
  ///   - change: Converts the ID and a change of the screen into a change of this part.
  /// - Returns: A store of the screen, or `nil` if there is no screen with the ID.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Presented<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> Change
  ) -> LegoScope<Screen, PartChange>? {
    part({ _ in .screen(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// A store of the value of an optional. It ends when the optional becomes `nil`.
  ///
  /// - Parameters:
  ///   - keyPath: The optional.
  ///   - change: Converts a change of the value into a change of this part.
  /// - Returns: A store of the value, or `nil` if there is none.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    part({ _ in PartLookup { $0[keyPath: keyPath] } }, change: change)
  }

  /// A store of the value of an optional. It also ends when a value with another ID replaces it.
  ///
  /// - Parameters:
  ///   - keyPath: The optional.
  ///   - change: Converts a change of the value into a change of this part.
  /// - Returns: A store of the value, or `nil` if there is none.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    part({ .current(in: $0) { $0[keyPath: keyPath] } }, change: change)
  }

  /// A store of the payload of an enum case. It ends when the enum becomes another case.
  ///
  /// - Parameters:
  ///   - keyPath: The enum.
  ///   - extract: The payload, or `nil` for another case.
  ///   - change: Converts a change of the payload into a change of this part.
  /// - Returns: A store of the payload, or `nil` if the enum is another case.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    part({ _ in PartLookup { extract($0[keyPath: keyPath]) } }, change: change)
  }

  /// A store of the payload of an enum case. It also ends when a payload with another ID replaces it.
  ///
  /// - Parameters:
  ///   - keyPath: The enum.
  ///   - extract: The payload, or `nil` for another case.
  ///   - change: Converts a change of the payload into a change of this part.
  /// - Returns: A store of the payload, or `nil` if the enum is another case.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    part({ .current(in: $0) { extract($0[keyPath: keyPath]) } }, change: change)
  }

  /// A store of a part that can go.
  private func part<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ find: (Design) -> PartLookup<Design, Part>?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    guard let part = source.watch(within: marker, find) else { return nil }
    return LegoScope<Part, PartChange>(
      read: part.read, send: { [send] in send(change($0), $1) }, owner: owner,
      watch: part.observe, designs: part.designs, marker: part.marker, source: part.source)
  }
}
