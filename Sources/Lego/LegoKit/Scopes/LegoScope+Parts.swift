/// A store or a scope, whose parts have scopes.
public protocol ScopableStore<Design, Change> {
  /// The state of the store.
  associatedtype Design: Equatable & Sendable
  /// A change of the state.
  associatedtype Change: Equatable & Sendable

  /// A scope of the whole design.
  var wholeScope: LegoScope<Design, Change> { get }
}

extension LegoScope: ScopableStore {
  /// The scope itself.
  public var wholeScope: LegoScope { self }
}

extension Lego: ScopableStore {
  /// A scope of the whole design.
  public var wholeScope: LegoScope<B.Design, B.Change> { scope(\.self, change: { $0 }) }
}

extension ScopableStore {
  /// A store of one element of a collection.
  ///
  /// When the element goes, the sequences of the store end, its ``LegoScope/design`` keeps the last
  /// value, and a build is reported to the ``Contractors/problemSink`` and ignored. This does not
  /// change if another element with the same ID appears later.
  ///
  /// - Parameters:
  ///   - keyPath: The collection.
  ///   - id: The element's ID.
  ///   - change: Converts the ID and a change of the element into a change of the whole.
  /// - Returns: A store of the element, or `nil` if there is no element with the ID.
  public func scope<C: Collection & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, C> & Sendable, id: C.Element.ID,
    change: @escaping @Sendable (C.Element.ID, PartChange) -> Change
  ) -> LegoScope<C.Element, PartChange>?
  where C.Element: Identifiable & Equatable & Sendable, C.Element.ID: Sendable {
    wholeScope.part({ _ in .element(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// A store of one value of a dictionary.
  ///
  /// It ends with the value.
  public func scope<
    Key: Hashable & Sendable, Part: Equatable & Sendable, PartChange: Equatable & Sendable
  >(
    _ keyPath: any KeyPath<Design, [Key: Part]> & Sendable, id key: Key,
    change: @escaping @Sendable (Key, PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope.part({ _ in .value(of: keyPath, key) }, change: { change(key, $0) })
  }

  /// A store of one screen of a path.
  ///
  /// It ends in the step that removes the screen from the path.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Stack<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> Change
  ) -> LegoScope<Screen, PartChange>? {
    wholeScope.part({ _ in .screen(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// A store of one presented screen.
  ///
  /// It ends in the step that dismisses the screen.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Presented<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> Change
  ) -> LegoScope<Screen, PartChange>? {
    wholeScope.part({ _ in .screen(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// A store of the value of an optional.
  ///
  /// It ends when the optional becomes `nil`.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope.part({ _ in PartLookup { $0[keyPath: keyPath] } }, change: change)
  }

  /// A store of the value of an optional.
  ///
  /// It also ends when a value with another ID replaces it.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    wholeScope.part({ .current(in: $0) { $0[keyPath: keyPath] } }, change: change)
  }

  /// A store of the payload of an enum case.
  ///
  /// It ends when the enum becomes another case.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope.part({ _ in PartLookup { extract($0[keyPath: keyPath]) } }, change: change)
  }

  /// A store of the payload of an enum case.
  ///
  /// It also ends when a payload with another ID replaces it.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    wholeScope.part({ .current(in: $0) { extract($0[keyPath: keyPath]) } }, change: change)
  }
}

extension LegoScope {
  /// A store of a part that can go.
  fileprivate func part<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ find: (Design) -> PartLookup<Design, Part>?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    guard let part = source.watch(within: marker, find) else { return nil }
    return LegoScope<Part, PartChange>(
      read: part.read, send: { [send] in send(change($0), $1) }, owner: owner,
      watch: part.observe, designs: part.designs, marker: part.marker, source: part.source)
  }
}

extension Lego {
  /// The value of an optional.
  ///
  /// Writing it builds a change that is made from the new value.
  ///
  /// When the optional becomes `nil`, the glue keeps the last value. Writing it is then reported to
  /// the ``Contractors/problemSink`` and ignored.
  public func glue<Value: Equatable & Sendable>(
    presented keyPath: any KeyPath<B.Design, Value?> & Sendable,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value>? {
    scope(presented: keyPath, change: change)?.glue(\.self, change: { $0 })
  }

  /// The payload of an enum case.
  ///
  /// Writing it builds a change that is made from the new value.
  ///
  /// When the enum becomes another case, the glue keeps the last value. Writing it is then reported
  /// to the ``Contractors/problemSink`` and ignored.
  public func glue<Enum, Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Value?,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value>? {
    scope(keyPath, case: extract, change: change)?.glue(\.self, change: { $0 })
  }
}
