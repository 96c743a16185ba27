/// A store or a scope that can create scopes for its parts.
public protocol ScopableStore<Design, Change> {
  /// The type of the store's state.
  associatedtype Design: Equatable & Sendable
  /// The type of changes to the state.
  associatedtype Change: Equatable & Sendable

  /// A scope for the whole design.
  var wholeScope: LegoScope<Design, Change> { get }
}

extension LegoScope: ScopableStore {
  /// The scope itself.
  public var wholeScope: LegoScope { self }
}

extension Lego: ScopableStore {
  /// A scope for the whole design.
  public var wholeScope: LegoScope<B.Design, B.Change> { scope(\.self, change: { $0 }) }
}

extension ScopableStore {
  /// Returns a scope for one element of a collection.
  ///
  /// When the element is removed, the sequences of the scope end, and its ``LegoScope/design``
  /// keeps the last value. From then on, builds are reported to the ``Contractors/problemSink`` and
  /// ignored, even if an element with the same ID is added later.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the collection.
  ///   - id: The ID of the element.
  ///   - change: Converts the ID and a change to the element into a change to the whole.
  /// - Returns: The scope, or `nil` if the element does not exist.
  public func scope<C: Collection & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, C> & Sendable, id: C.Element.ID,
    change: @escaping @Sendable (C.Element.ID, PartChange) -> Change
  ) -> LegoScope<C.Element, PartChange>?
  where C.Element: Identifiable & Equatable & Sendable, C.Element.ID: Sendable {
    wholeScope.part({ _ in .element(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// Returns a scope for one value of a dictionary, or `nil` if the key does not exist.
  ///
  /// The scope ends when the key is removed.
  public func scope<
    Key: Hashable & Sendable, Part: Equatable & Sendable, PartChange: Equatable & Sendable
  >(
    _ keyPath: any KeyPath<Design, [Key: Part]> & Sendable, id key: Key,
    change: @escaping @Sendable (Key, PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope.part({ _ in .value(of: keyPath, key) }, change: { change(key, $0) })
  }

  /// Returns a scope for one screen in a stack, or `nil` if the screen is not in the stack.
  ///
  /// The scope ends in the step that removes the screen from the stack.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Stack<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> Change
  ) -> LegoScope<Screen, PartChange>? {
    wholeScope.part({ _ in .screen(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// Returns a scope for one presented screen, or `nil` if the screen is not presented.
  ///
  /// The scope ends in the step that dismisses the screen.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Presented<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> Change
  ) -> LegoScope<Screen, PartChange>? {
    wholeScope.part({ _ in .screen(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// Returns a scope for the value of an optional, or `nil` if there is no value.
  ///
  /// The scope ends when the optional becomes `nil`.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope.part({ _ in PartLookup { $0[keyPath: keyPath] } }, change: change)
  }

  /// Returns a scope for an optional whose value has an ID, or `nil` if there is no value.
  ///
  /// The scope ends when the optional becomes `nil`, or when a value with a different ID replaces
  /// the current one.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    wholeScope.part({ .current(in: $0) { $0[keyPath: keyPath] } }, change: change)
  }

  /// Returns a scope for the payload of an enum case, or `nil` if the enum is a different case.
  ///
  /// The scope ends when the enum changes to another case.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope.part({ _ in PartLookup { extract($0[keyPath: keyPath]) } }, change: change)
  }

  /// Returns a scope for an enum case whose payload has an ID, or `nil` if the enum is a different
  /// case.
  ///
  /// The scope ends when the enum changes to another case, or when a payload with a different ID
  /// replaces the current one.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    wholeScope.part({ .current(in: $0) { extract($0[keyPath: keyPath]) } }, change: change)
  }
}

extension LegoScope {
  /// Returns a scope for a part that can be removed.
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
  /// Returns a `Glue` for the value of an optional, or `nil` if there is no value.
  ///
  /// Writing a value builds the change that `change` returns for it.
  ///
  /// When the optional becomes `nil`, the `Glue` keeps the last value. From then on, writes are
  /// reported to the ``Contractors/problemSink`` and ignored.
  public func glue<Value: Equatable & Sendable>(
    presented keyPath: any KeyPath<B.Design, Value?> & Sendable,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value>? {
    scope(presented: keyPath, change: change)?.glue(\.self, change: { $0 })
  }

  /// Returns a `Glue` for the payload of an enum case, or `nil` if the enum is a different case.
  ///
  /// Writing a value builds the change that `change` returns for it.
  ///
  /// When the enum changes to another case, the `Glue` keeps the last value. From then on, writes
  /// are reported to the ``Contractors/problemSink`` and ignored.
  public func glue<Enum, Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Value?,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value>? {
    scope(keyPath, case: extract, change: change)?.glue(\.self, change: { $0 })
  }
}
