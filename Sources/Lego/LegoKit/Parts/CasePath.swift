/// The relation between a whole value and a part of it, most often the payload of an enum case.
///
/// For an enum that is ``PayloadReadable``, the case is enough:
///
/// ```swift
/// let path = CasePath.case(AppBlueprint.Change.room)
/// ```
///
/// For any other enum, give the payload as well. This takes less time for each change:
///
/// ```swift
/// let path = CasePath.case(AppBlueprint.Change.room) {
///   if case .room(let id, let change) = $0 { (id, change) } else { nil }
/// }
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

extension CasePath where Whole: PayloadReadable {
  /// The path to the payload of a case.
  ///
  /// For each change, it takes about 0.1 µs to read the payload and to compare its type.
  ///
  /// - Parameter embed: The case.
  /// - Returns: The path.
  public static func `case`(_ embed: @escaping @Sendable (Part) -> Whole) -> CasePath {
    CasePath(embed: embed, extract: { $0.payload(of: embed) })
  }

  /// The path to the payload of a case that also contains the ID of a part.
  ///
  /// - Parameter embed: The case.
  /// - Returns: The path.
  public static func `case`<ID, Change>(
    _ embed: @escaping @Sendable (ID, Change) -> Whole
  ) -> CasePath where Part == (ID, Change) {
    CasePath(
      embed: { embed($0.0, $0.1) }, extract: { $0.payload { embed($0.0, $0.1) } })
  }
}

extension CasePath where Whole == Part {
  /// The path from a value to itself.
  public static var whole: CasePath { CasePath(embed: { $0 }, extract: { $0 }) }
}
