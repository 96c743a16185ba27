/// The blueprint of a screen that is one of several kinds, whose parts do all there is to do.
///
/// ```swift
/// let screen = Feature(Screens<Screen, ScreenChange>())
///   .route(.case(Screen.photo, \.photo), .case(ScreenChange.photo, \.photo), photo)
///   .route(.case(Screen.help, \.help), .case(ScreenChange.help, \.help), help)
/// ```
public struct Screens<Screen: Equatable & Sendable, ScreenChange: Equatable & Sendable>: Blueprint {
  /// A screen: an enumeration with a case for each kind.
  public typealias Design = Screen
  /// A change of a screen: an enumeration with a case for each kind.
  public typealias Change = ScreenChange

  /// Creates the blueprint.
  @inlinable public init() {}

  /// Does nothing beside what the parts do.
  @inlinable public func change(_ design: inout Screen, on change: ScreenChange) {}
}

extension Feature {
  /// Plugs in the feature of one kind of screen: the payload of a case of the design.
  ///
  /// Its effects end when the screen becomes another case.
  ///
  /// - Parameters:
  ///   - shown: The case.
  ///   - change: How a change of the kind lies in a change of the screen.
  ///   - feature: The feature of the kind.
  /// - Returns: This feature with the kind of screen.
  @inlinable public func route<Part: Blueprint>(
    _ shown: CasePath<B.Design, Part.Design>, _ change: CasePath<B.Change, Part.Change>,
    _ feature: Feature<Part>
  ) -> Feature {
    optional(\.self, case: shown, change, feature)
  }
}
