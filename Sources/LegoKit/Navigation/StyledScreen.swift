/// A screen that says how it is shown over others.
///
/// The style is the program's own: ``PresentationStyle``, or an enumeration that it declares.
public protocol StyledScreen: Identifiable, Equatable, Sendable where ID: Sendable {
  /// What a style is.
  associatedtype Style: Equatable & Sendable = PresentationStyle

  /// How the screen is shown.
  var style: Style { get }
}

extension Presented where Screen: StyledScreen {
  /// How the screen over all others is shown, if any is.
  public var style: Screen.Style? { top?.style }
}

/// How a screen is shown over others, by a name.
public struct PresentationStyle: RawRepresentable, Hashable, Sendable, Codable {
  /// The name.
  public let rawValue: String

  /// Creates a style of a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It covers a part, which is seen below it.
  public static let sheet = PresentationStyle(rawValue: "sheet")
  /// It covers everything.
  public static let fullScreen = PresentationStyle(rawValue: "fullScreen")
  /// A terminal program draws it into a frame over what is there.
  public static let overlay = PresentationStyle(rawValue: "overlay")
}
