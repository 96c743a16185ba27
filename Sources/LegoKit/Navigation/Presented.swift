/// The screens that are shown over a part of a program, as a value in a design: none, one, or one
/// over another.
///
/// ```swift
/// design.modals.present(Sheet.Design(id: "tools"))
/// design.modals.dismiss()
/// ```
///
/// A screen is known by its id, as one of a ``Stack`` is. How it is shown, as a sheet or on the full
/// screen, it says itself where it is a ``StyledScreen``.
public struct Presented<Screen: Identifiable & Equatable & Sendable>: Equatable, Sendable
where Screen.ID: Sendable {
  /// The screens, each over the one before it.
  private(set) var chain: Stack<Screen>

  /// Creates a value that shows nothing.
  public init() { chain = Stack() }

  /// Creates a value that shows screens, each over the one before it; one whose id came before is
  /// left out.
  public init(_ screens: some Sequence<Screen>) { chain = Stack(screens) }

  /// The screen over all others, if any is shown.
  public var top: Screen? { chain.top }

  /// All screens, each over the one before it.
  public var screens: [Screen] { chain.screens }

  /// How many screens are shown.
  public var count: Int { chain.count }

  /// Whether no screen is shown.
  public var isEmpty: Bool { chain.isEmpty }

  /// The screen with an id, if it is shown.
  public subscript(id id: Screen.ID) -> Screen? { chain[id: id] }

  /// Whether a screen with an id is shown.
  public func contains(id: Screen.ID) -> Bool { chain.contains(id: id) }

  /// Shows a screen over the others.
  ///
  /// - Returns: Whether it was shown; not, when one with its id is shown, which stays as it is.
  @discardableResult
  public mutating func present(_ screen: Screen) -> Bool { chain.push(screen) }

  /// Takes the screen over all others away; it does nothing when none is shown.
  ///
  /// - Returns: The screen, or `nil` when none was shown.
  @discardableResult
  public mutating func dismiss() -> Screen? { chain.pop() }

  /// Takes the screen with an id away, and those over it.
  ///
  /// - Returns: Whether there is such a screen; else nothing changes.
  @discardableResult
  public mutating func dismiss(_ id: Screen.ID) -> Bool { chain.close(id) }

  /// Takes all screens away.
  public mutating func dismissAll() { chain.popToRoot() }

  /// Changes the screen with an id.
  ///
  /// - Parameters:
  ///   - id: The id, which the change must leave as it is.
  ///   - body: The change.
  /// - Returns: What the change answers, or `nil` when there is no such screen.
  @discardableResult
  public mutating func change<Result>(
    _ id: Screen.ID, _ body: (inout Screen) -> Result
  ) -> Result? {
    chain.change(id, body)
  }
}

extension Presented: ExpressibleByArrayLiteral {
  /// Creates a value that shows screens, each over the one before it; one whose id came before is
  /// left out.
  public init(arrayLiteral screens: Screen...) { self.init(screens) }
}

extension Presented: CustomReflectable, CustomStringConvertible {
  /// The screens, for logs.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: screens, displayStyle: .collection)
  }

  /// The screens as text, each over the one before it.
  public var description: String { "\(screens)" }
}

extension Presented: Encodable where Screen: Encodable {
  /// Writes the screens as a list, each over the one before it.
  public func encode(to encoder: any Encoder) throws { try chain.encode(to: encoder) }
}

extension Presented: Decodable where Screen: Decodable {
  /// Reads a list of screens, each over the one before it.
  ///
  /// - Throws: `DecodingError.dataCorrupted` when two screens have one id.
  public init(from decoder: any Decoder) throws { chain = try Stack(from: decoder) }
}

extension Presented {
  /// A change of what is shown, as a value.
  public enum Move: Equatable, Sendable {
    /// Shows a screen, unless one with its id is shown.
    case present(Screen)
    /// Takes the screen over all others away.
    case dismiss
    /// Takes the screen with an id away, and those over it.
    case close(Screen.ID)
    /// Takes all screens away.
    case dismissAll
  }

  /// Changes what is shown by a move; one that names a screen which is not there changes nothing.
  ///
  /// - Returns: Whether the move could be made.
  @discardableResult
  public mutating func apply(_ move: Move) -> Bool {
    switch move {
    case .present(let screen): return present(screen)
    case .dismiss: return dismiss() != nil
    case .close(let id): return dismiss(id)
    case .dismissAll: dismissAll()
    }
    return true
  }
}

extension Presented.Move: Encodable where Screen: Encodable, Screen.ID: Encodable {}
extension Presented.Move: Decodable where Screen: Decodable, Screen.ID: Decodable {}

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
