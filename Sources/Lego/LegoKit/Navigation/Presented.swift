/// The screens that are presented over a part of a program, from bottom to top.
///
/// ```swift
/// design.modals.present(Sheet.Design(id: "tools"))
/// design.modals.dismiss()
/// ```
///
/// A screen is identified by its ID, as in a ``Stack``. A ``StyledScreen`` determines how it is
/// presented, for example as a sheet or full screen.
public struct Presented<Screen: Identifiable & Equatable & Sendable>: Equatable, Sendable
where Screen.ID: Sendable {
  /// The screens, from bottom to top.
  private(set) var chain: Stack<Screen>

  /// Creates a value that presents no screen.
  public init() { chain = Stack() }

  /// Creates a value that presents screens, from bottom to top.
  ///
  /// If several screens have the same ID, only the first of them is included.
  public init(_ screens: some Sequence<Screen>) { chain = Stack(screens) }

  /// The topmost screen, or `nil` if no screen is presented.
  public var top: Screen? { chain.top }

  /// All screens, from bottom to top.
  public var screens: [Screen] { chain.screens }

  /// The number of screens.
  public var count: Int { chain.count }

  /// A Boolean value that indicates whether no screen is presented.
  public var isEmpty: Bool { chain.isEmpty }

  /// The screen with the given ID, or `nil` if it is not presented.
  public subscript(id id: Screen.ID) -> Screen? { chain[id: id] }

  /// Returns `true` if the screen with the given ID is presented.
  public func contains(id: Screen.ID) -> Bool { chain.contains(id: id) }

  /// Presents a screen over the others.
  ///
  /// - Returns: `false` if a screen with the same ID is already presented, in which case nothing
  ///   changes.
  @discardableResult
  public mutating func present(_ screen: Screen) -> Bool { chain.push(screen) }

  /// Dismisses the topmost screen.
  ///
  /// If no screen is presented, nothing changes.
  ///
  /// - Returns: The dismissed screen, or `nil` if no screen was presented.
  @discardableResult
  public mutating func dismiss() -> Screen? { chain.pop() }

  /// Dismisses the screen with the given ID, and all screens over it.
  ///
  /// - Returns: `false` if the screen is not presented, in which case nothing changes.
  @discardableResult
  public mutating func dismiss(_ id: Screen.ID) -> Bool { chain.close(id) }

  /// Dismisses all screens.
  public mutating func dismissAll() { chain.popToRoot() }

  /// Changes the screen with the given ID in place.
  ///
  /// The closure must not change the ID.
  ///
  /// - Returns: The result of the closure, or `nil` if the screen is not presented.
  @discardableResult
  public mutating func change<Result>(
    _ id: Screen.ID, _ body: (inout Screen) -> Result
  ) -> Result? {
    chain.change(id, body)
  }
}

extension Presented: ExpressibleByArrayLiteral {
  /// Creates a value that presents screens, from bottom to top.
  ///
  /// If several screens have the same ID, only the first of them is included.
  public init(arrayLiteral screens: Screen...) { self.init(screens) }
}

extension Presented: CustomReflectable, CustomStringConvertible {
  /// A mirror of the screens, for logs.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: screens, displayStyle: .collection)
  }

  /// The screens as text, from bottom to top.
  public var description: String { "\(screens)" }
}

extension Presented: Encodable where Screen: Encodable {
  /// Encodes the screens as an array, from bottom to top.
  public func encode(to encoder: any Encoder) throws { try chain.encode(to: encoder) }
}

extension Presented: Decodable where Screen: Decodable {
  /// Decodes an array of screens, from bottom to top.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if two screens have the same ID.
  public init(from decoder: any Decoder) throws { chain = try Stack(from: decoder) }
}

extension Presented {
  /// An operation that presents or dismisses screens, for use in a change.
  public enum Move: Equatable, Sendable {
    /// Presents a screen, unless a screen with the same ID is already presented.
    case present(Screen)
    /// Dismisses the topmost screen.
    case dismiss
    /// Dismisses the screen with the given ID, and all screens over it.
    case close(Screen.ID)
    /// Dismisses all screens.
    case dismissAll
  }

  /// Applies a move.
  ///
  /// - Returns: `false` if the move is impossible, in which case nothing changes. Dismissing all
  ///   screens is always possible.
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
/// The style is a ``PresentationStyle``, or a type that the program declares, such as an enum.
public protocol StyledScreen: Identifiable, Equatable, Sendable where ID: Sendable {
  /// The type of the style.
  associatedtype Style: Equatable & Sendable = PresentationStyle

  /// The style in which the screen is presented.
  var style: Style { get }
}

extension Presented where Screen: StyledScreen {
  /// The style of the topmost screen, or `nil` if no screen is presented.
  public var style: Screen.Style? { top?.style }
}

/// The name of a presentation style.
public struct PresentationStyle: RawRepresentable, Hashable, Sendable, Codable {
  /// The name.
  public let rawValue: String

  /// Creates a style with the given name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The screen covers part of the screen below it.
  public static let sheet = PresentationStyle(rawValue: "sheet")
  /// The screen covers all screens below it.
  public static let fullScreen = PresentationStyle(rawValue: "fullScreen")
  /// In a terminal program, the screen is drawn in a frame over the other screens.
  public static let overlay = PresentationStyle(rawValue: "overlay")
}
