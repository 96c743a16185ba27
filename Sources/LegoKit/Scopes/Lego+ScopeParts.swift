extension Lego {
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
    _ keyPath: any KeyPath<B.Design, C> & Sendable, id: C.Element.ID,
    change: @escaping @Sendable (C.Element.ID, PartChange) -> B.Change
  ) -> LegoScope<C.Element, PartChange>?
  where C.Element: Identifiable & Equatable & Sendable, C.Element.ID: Sendable {
    wholeScope.scope(keyPath, id: id, change: change)
  }

  /// A store of one value of a dictionary. It ends with the value.
  ///
  /// - Parameters:
  ///   - keyPath: The dictionary.
  ///   - key: The value's key.
  ///   - change: Converts the key and a change of the value into a change of the whole.
  /// - Returns: A store of the value, or `nil` if there is no value for the key.
  public func scope<
    Key: Hashable & Sendable, Part: Equatable & Sendable, PartChange: Equatable & Sendable
  >(
    _ keyPath: any KeyPath<B.Design, [Key: Part]> & Sendable, id key: Key,
    change: @escaping @Sendable (Key, PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope.scope(keyPath, id: key, change: change)
  }

  /// A store of one screen of a path. It ends in the step in which the screen leaves the path.
  ///
  /// - Parameters:
  ///   - keyPath: The path.
  ///   - id: The screen's ID.
  ///   - change: Converts the ID and a change of the screen into a change of the whole.
  /// - Returns: A store of the screen, or `nil` if there is no screen with the ID.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Stack<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> B.Change
  ) -> LegoScope<Screen, PartChange>? {
    wholeScope.scope(keyPath, id: id, change: change)
  }

  /// A store of one presented screen. It ends in the step in which the screen is dismissed.
  ///
  /// - Parameters:
  ///   - keyPath: The presented screens.
  ///   - id: The screen's ID.
  ///   - change: Converts the ID and a change of the screen into a change of the whole.
  /// - Returns: A store of the screen, or `nil` if there is no screen with the ID.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Presented<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> B.Change
  ) -> LegoScope<Screen, PartChange>? {
    wholeScope.scope(keyPath, id: id, change: change)
  }

  /// A store of the value of an optional. It ends when the optional becomes `nil`.
  ///
  /// - Parameters:
  ///   - keyPath: The optional.
  ///   - change: Converts a change of the value into a change of the whole.
  /// - Returns: A store of the value, or `nil` if there is none.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<B.Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope.scope(presented: keyPath, change: change)
  }

  /// A store of the value of an optional. It also ends when a value with another ID replaces it.
  ///
  /// - Parameters:
  ///   - keyPath: The optional.
  ///   - change: Converts a change of the value into a change of the whole.
  /// - Returns: A store of the value, or `nil` if there is none.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    presented keyPath: any KeyPath<B.Design, Part?> & Sendable,
    change: @escaping @Sendable (PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    wholeScope.scope(presented: keyPath, change: change)
  }

  /// A store of the payload of an enum case. It ends when the enum becomes another case.
  ///
  /// - Parameters:
  ///   - keyPath: The enum.
  ///   - extract: The payload, or `nil` for another case.
  ///   - change: Converts a change of the payload into a change of the whole.
  /// - Returns: A store of the payload, or `nil` if the enum is another case.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange>? {
    wholeScope.scope(keyPath, case: extract, change: change)
  }

  /// A store of the payload of an enum case. It also ends when a payload with another ID replaces it.
  ///
  /// - Parameters:
  ///   - keyPath: The enum.
  ///   - extract: The payload, or `nil` for another case.
  ///   - change: Converts a change of the payload into a change of the whole.
  /// - Returns: A store of the payload, or `nil` if the enum is another case.
  public func scope<Enum, Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Part?,
    change: @escaping @Sendable (PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange>? where Part: Identifiable, Part.ID: Sendable {
    wholeScope.scope(keyPath, case: extract, change: change)
  }

  /// The value of an optional. Writing it builds a change that is made from the new value.
  ///
  /// When the optional becomes `nil`, the glue keeps the last value. Writing it is then reported to the
  /// ``Contractors/problemSink`` and ignored.
  ///
  /// - Parameters:
  ///   - keyPath: The optional.
  ///   - change: Converts the new value into a change.
  /// - Returns: The glue, or `nil` if there is no value.
  public func glue<Value: Equatable & Sendable>(
    presented keyPath: any KeyPath<B.Design, Value?> & Sendable,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value>? {
    scope(presented: keyPath, change: change)?.glue(\.self, change: { $0 })
  }

  /// The payload of an enum case. Writing it builds a change that is made from the new value.
  ///
  /// When the enum becomes another case, the glue keeps the last value. Writing it is then reported to
  /// the ``Contractors/problemSink`` and ignored.
  ///
  /// - Parameters:
  ///   - keyPath: The enum.
  ///   - extract: The payload, or `nil` for another case.
  ///   - change: Converts the new value into a change.
  /// - Returns: The glue, or `nil` if the enum is another case.
  public func glue<Enum, Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Value?,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value>? {
    scope(keyPath, case: extract, change: change)?.glue(\.self, change: { $0 })
  }
}
