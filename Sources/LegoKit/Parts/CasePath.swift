/// How one value lies in another, most often as the payload of a case of an enum.
///
/// ```swift
/// extension AppBlueprint.Change {
///   var room: (Int, RoomBlueprint.Change)? {
///     if case .room(let id, let change) = self { (id, change) } else { nil }
///   }
/// }
///
/// let path = CasePath.case(AppBlueprint.Change.room, \.room)
/// ```
public struct CasePath<Whole, Part>: Sendable {
  @usableFromInline let embed: @Sendable (Part) -> Whole
  @usableFromInline let extract: @Sendable (Whole) -> Part?

  /// Creates a path from its two directions.
  ///
  /// - Parameters:
  ///   - embed: Makes the whole of the part.
  ///   - extract: Takes the part out of a whole, or answers `nil` where it is another one.
  @inlinable public init(
    embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?
  ) {
    self.embed = embed
    self.extract = extract
  }

  /// The path to the payload of a case.
  ///
  /// - Parameters:
  ///   - embed: The case.
  ///   - extract: Its payload, or `nil` for another case: a closure, or the key path of a property.
  /// - Returns: The path.
  @inlinable public static func `case`(
    _ embed: @escaping @Sendable (Part) -> Whole, _ extract: @escaping @Sendable (Whole) -> Part?
  ) -> CasePath {
    CasePath(embed: embed, extract: extract)
  }

  /// The path to the payload of a case that has the id of a part beside it.
  ///
  /// - Parameters:
  ///   - embed: The case.
  ///   - extract: Its two values, or `nil` for another case.
  /// - Returns: The path.
  @inlinable public static func `case`<ID, Change>(
    _ embed: @escaping @Sendable (ID, Change) -> Whole,
    _ extract: @escaping @Sendable (Whole) -> (ID, Change)?
  ) -> CasePath where Part == (ID, Change) {
    CasePath(embed: { embed($0.0, $0.1) }, extract: extract)
  }
}

extension CasePath where Whole == Part {
  /// The path from a value to itself.
  @inlinable public static var whole: CasePath { CasePath(embed: { $0 }, extract: { $0 }) }
}
