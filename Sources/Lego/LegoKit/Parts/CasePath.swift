/// A two-way conversion between a value and a part of it, usually the payload of an enum case.
///
/// If the enum conforms to ``PayloadReadable``, pass only the case:
///
/// ```swift
/// let path = CasePath.case(AppBlueprint.Change.room)
/// ```
///
/// For any other enum, also pass a closure that extracts the payload. This form is faster:
///
/// ```swift
/// let path = CasePath.case(AppBlueprint.Change.room) {
///   if case .room(let id, let change) = $0 { (id, change) } else { nil }
/// }
/// ```
public struct CasePath<Whole, Part>: Sendable {
  let embed: @Sendable (Part) -> Whole
  let extract: @Sendable (Whole) -> Part?

  /// Creates a path from closures that convert in both directions.
  ///
  /// - Parameters:
  ///   - embed: Converts a part into a whole value.
  ///   - extract: Returns the part of a whole value, or `nil` if the value does not contain it.
  public init(
    embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?
  ) {
    self.embed = embed
    self.extract = extract
  }

  /// Returns the path to the payload of an enum case.
  ///
  /// - Parameters:
  ///   - embed: Creates the case from its payload.
  ///   - extract: Returns the payload, or `nil` for any other case. Pass a closure, or the key path
  ///     of a property.
  /// - Returns: The path.
  public static func `case`(
    _ embed: @escaping @Sendable (Part) -> Whole, _ extract: @escaping @Sendable (Whole) -> Part?
  ) -> CasePath {
    CasePath(embed: embed, extract: extract)
  }

  /// Returns the path to the ID and the change in an enum case.
  ///
  /// - Parameters:
  ///   - embed: Creates the case from the ID and the change.
  ///   - extract: Returns the ID and the change, or `nil` for any other case.
  /// - Returns: The path.
  public static func `case`<ID, Change>(
    _ embed: @escaping @Sendable (ID, Change) -> Whole,
    _ extract: @escaping @Sendable (Whole) -> (ID, Change)?
  ) -> CasePath where Part == (ID, Change) {
    CasePath(embed: { embed($0.0, $0.1) }, extract: extract)
  }
}

extension CasePath where Whole: PayloadReadable {
  /// Returns the path to the payload of an enum case.
  ///
  /// Extracting a payload takes about 0.1 µs.
  ///
  /// - Parameter embed: Creates the case from its payload.
  /// - Returns: The path.
  public static func `case`(_ embed: @escaping @Sendable (Part) -> Whole) -> CasePath {
    CasePath(embed: embed, extract: { $0.payload(of: embed) })
  }

  /// Returns the path to the ID and the change in an enum case.
  ///
  /// - Parameter embed: Creates the case from the ID and the change.
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
