/// The screens that are presented over a part of a program, as a value in a design: none, one, or
/// several, each over the previous one.
///
/// ```swift
/// design.modals.present(Sheet.Design(id: "tools"))
/// design.modals.dismiss()
/// ```
///
/// A screen is identified by its ID, as in a ``Stack``. A ``StyledScreen`` determines how it is
/// presented, for example as a sheet or on the full screen.
public struct Presented<Screen: Identifiable & Equatable & Sendable>: Equatable, Sendable
where Screen.ID: Sendable {
  /// The screens, each over the previous one.
  private(set) var chain: Stack<Screen>

  /// Creates a value without screens.
  public init() { chain = Stack() }

  /// Creates a value with screens, each over the previous one.
  ///
  /// A screen whose ID occurred before is skipped.
  public init(_ screens: some Sequence<Screen>) { chain = Stack(screens) }

  /// The topmost screen, if there is one.
  public var top: Screen? { chain.top }

  /// All screens, each over the previous one.
  public var screens: [Screen] { chain.screens }

  /// The number of screens.
  public var count: Int { chain.count }

  /// A Boolean value that indicates whether there are no screens.
  public var isEmpty: Bool { chain.isEmpty }

  /// The screen with an ID, if it is presented.
  public subscript(id id: Screen.ID) -> Screen? { chain[id: id] }

  /// Returns `true` if a screen with an ID is presented.
  public func contains(id: Screen.ID) -> Bool { chain.contains(id: id) }

  /// Presents a screen over the others.
  ///
  /// - Returns: `false` if a screen with the same ID is presented. That screen does not change.
  @discardableResult
  public mutating func present(_ screen: Screen) -> Bool { chain.push(screen) }

  /// Dismisses the topmost screen.
  ///
  /// Does nothing if no screen is presented.
  ///
  /// - Returns: The screen, or `nil` if there was none.
  @discardableResult
  public mutating func dismiss() -> Screen? { chain.pop() }

  /// Dismisses the screen with an ID, and all screens over it.
  ///
  /// - Returns: `false` if there is no such screen. Then nothing changes.
  @discardableResult
  public mutating func dismiss(_ id: Screen.ID) -> Bool { chain.close(id) }

  /// Dismisses all screens.
  public mutating func dismissAll() { chain.popToRoot() }

  /// Changes the screen with an ID.
  ///
  /// It returns `nil` if there is no such screen. The closure must not change the ID.
  @discardableResult
  public mutating func change<Result>(
    _ id: Screen.ID, _ body: (inout Screen) -> Result
  ) -> Result? {
    chain.change(id, body)
  }
}

extension Presented: ExpressibleByArrayLiteral {
  /// Creates a value with screens, each over the previous one.
  ///
  /// A screen whose ID occurred before is skipped.
  public init(arrayLiteral screens: Screen...) { self.init(screens) }
}

extension Presented: CustomReflectable, CustomStringConvertible {
  /// The screens, for logs.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: screens, displayStyle: .collection)
  }

  /// The screens as text, each over the previous one.
  public var description: String { "\(screens)" }
}

extension Presented: Encodable where Screen: Encodable {
  /// Encodes the screens as a list, each over the previous one.
  public func encode(to encoder: any Encoder) throws { try chain.encode(to: encoder) }
}

extension Presented: Decodable where Screen: Decodable {
  /// Decodes a list of screens, each over the previous one.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if two screens have the same ID.
  public init(from decoder: any Decoder) throws { chain = try Stack(from: decoder) }
}

extension Presented {
  /// A change of the presented screens, as a value.
  public enum Move: Equatable, Sendable {
    /// Presents a screen, unless a screen with its ID is presented.
    case present(Screen)
    /// Dismisses the topmost screen.
    case dismiss
    /// Dismisses the screen with an ID, and all screens over it.
    case close(Screen.ID)
    /// Dismisses all screens.
    case dismissAll
  }

  /// Applies a move.
  ///
  /// If it names a screen that is not presented, nothing changes.
  ///
  /// - Returns: `false` if nothing changed.
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

/// A screen that determines how it is presented.
///
/// The style is a ``PresentationStyle``, or an enumeration that the program declares.
public protocol StyledScreen: Identifiable, Equatable, Sendable where ID: Sendable {
  /// The type of the style.
  associatedtype Style: Equatable & Sendable = PresentationStyle

  /// The style of the presentation.
  var style: Style { get }
}

extension Presented where Screen: StyledScreen {
  /// The style of the topmost screen, if there is one.
  public var style: Screen.Style? { top?.style }
}

/// The name of a style for presenting screens.
public struct PresentationStyle: RawRepresentable, Hashable, Sendable, Codable {
  /// The name.
  public let rawValue: String

  /// Creates a style with a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The screen covers a part of the screen below it.
  public static let sheet = PresentationStyle(rawValue: "sheet")
  /// The screen covers everything.
  public static let fullScreen = PresentationStyle(rawValue: "fullScreen")
  /// A terminal program draws the screen in a frame over the other screens.
  public static let overlay = PresentationStyle(rawValue: "overlay")
}
