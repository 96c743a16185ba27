/// The relation between a whole value and a part of it, most often the payload of an enum case.
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
  let embed: @Sendable (Part) -> Whole
  let extract: @Sendable (Whole) -> Part?

  /// Creates a path from its two directions.
  ///
  /// - Parameters:
  ///   - embed: Converts the part into the whole.
  ///   - extract: Returns the part of a whole, or `nil` if the whole contains another one.
  public init(
    embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?
  ) {
    self.embed = embed
    self.extract = extract
  }

  /// The path to the payload of a case.
  ///
  /// - Parameters:
  ///   - embed: The case.
  ///   - extract: Its payload, or `nil` for another case: a closure or the key path of a property.
  /// - Returns: The path.
  public static func `case`(
    _ embed: @escaping @Sendable (Part) -> Whole, _ extract: @escaping @Sendable (Whole) -> Part?
  ) -> CasePath {
    CasePath(embed: embed, extract: extract)
  }

  /// The path to the payload of a case that also contains the ID of a part.
  ///
  /// - Parameters:
  ///   - embed: The case.
  ///   - extract: Its two values, or `nil` for another case.
  /// - Returns: The path.
  public static func `case`<ID, Change>(
    _ embed: @escaping @Sendable (ID, Change) -> Whole,
    _ extract: @escaping @Sendable (Whole) -> (ID, Change)?
  ) -> CasePath where Part == (ID, Change) {
    CasePath(embed: { embed($0.0, $0.1) }, extract: extract)
  }
}

extension CasePath where Whole == Part {
  /// The path from a value to itself.
  public static var whole: CasePath { CasePath(embed: { $0 }, extract: { $0 }) }
}
