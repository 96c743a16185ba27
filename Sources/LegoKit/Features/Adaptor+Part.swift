extension Adaptor {
  /// Makes this adaptor one of a bigger blueprint, of which its own is a part.
  ///
  /// ```swift
  /// let lego = Lego(
  ///   .init(), blueprint: AppBlueprint(),
  ///   adaptors: [PermissionsAdaptor().part(\.permissions, .case(AppChange.permission, \.permission))])
  /// ```
  ///
  /// The ids of its effects stay its own: they are not those of the whole or of another part.
  ///
  /// - Parameters:
  ///   - place: The part of the design.
  ///   - change: How a change of the part lies in a change of the whole.
  /// - Returns: The adaptor of the whole.
  @inlinable public func part<Whole: Blueprint>(
    _ place: any KeyPath<Whole.Design, B.Design> & Sendable,
    _ change: CasePath<Whole.Change, B.Change>
  ) -> Adaptor<Whole> {
    Joint.once(place, change).join(self)
  }

  /// Makes this adaptor the one of all elements of a collection.
  ///
  /// The effects of an element end with it.
  ///
  /// - Parameters:
  ///   - place: The collection.
  ///   - change: How an element's id and a change of it lie in a change of the whole.
  /// - Returns: The adaptor of the whole.
  @inlinable public func each<Whole: Blueprint, C: Collection & Sendable>(
    _ place: any KeyPath<Whole.Design, C> & Sendable,
    _ change: CasePath<Whole.Change, (B.Design.ID, B.Change)>
  ) -> Adaptor<Whole>
  where C.Element == B.Design, B.Design: Identifiable, B.Design.ID: Sendable {
    Joint.each(place, change).join(self)
  }

  /// Makes this adaptor the one of all values of a dictionary.
  ///
  /// The effects of a value end with it.
  ///
  /// - Parameters:
  ///   - place: The dictionary.
  ///   - change: How a value's key and a change of it lie in a change of the whole.
  /// - Returns: The adaptor of the whole.
  @inlinable public func each<Whole: Blueprint, Key: Hashable & Sendable>(
    _ place: any KeyPath<Whole.Design, [Key: B.Design]> & Sendable,
    _ change: CasePath<Whole.Change, (Key, B.Change)>
  ) -> Adaptor<Whole> {
    Joint.each(place, change).join(self)
  }

  /// Makes this adaptor the one of a part that may be there, whose effects end with it.
  ///
  /// - Parameters:
  ///   - place: The part of the design.
  ///   - change: How a change of the part lies in a change of the whole.
  /// - Returns: The adaptor of the whole.
  @inlinable public func optional<Whole: Blueprint>(
    _ place: any KeyPath<Whole.Design, B.Design?> & Sendable,
    _ change: CasePath<Whole.Change, B.Change>
  ) -> Adaptor<Whole> {
    Joint.optional(place, change, shown: { $0[keyPath: place] }, key: { _ in Single() }).join(self)
  }

  /// Makes this adaptor the one of a part that may be there, whose effects end with it, also when
  /// one with another id takes its place.
  ///
  /// - Parameters:
  ///   - place: The part of the design.
  ///   - change: How a change of the part lies in a change of the whole.
  /// - Returns: The adaptor of the whole.
  @inlinable public func optional<Whole: Blueprint>(
    _ place: any KeyPath<Whole.Design, B.Design?> & Sendable,
    _ change: CasePath<Whole.Change, B.Change>
  ) -> Adaptor<Whole> where B.Design: Identifiable, B.Design.ID: Sendable {
    Joint.optional(place, change, shown: { $0[keyPath: place] }, key: \.id).join(self)
  }
}
