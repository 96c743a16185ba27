/// The screens above a root, as a value in a design.
///
/// Each was opened from the one below it.
///
/// ```swift
/// struct Design: Equatable, Sendable {
///   var album = Album.Design()
///   var path = Stack<Photo.Design>()
/// }
///
/// design.path.push(Photo.Design(id: 7))
/// design.path.pop()
/// ```
///
/// A screen is identified by its ID, which must not change while the screen is on the path. No two
/// screens on a path have the same ID: opening a screen that is on the path already has no effect.
/// A kind of screen may therefore appear twice only if its IDs allow it.
public struct Stack<Screen: Identifiable & Equatable & Sendable>: Sendable
where Screen.ID: Sendable {
  /// All screens, starting with the lowest.
  public private(set) var screens: [Screen] = []
  private var positions: [Screen.ID: Int] = [:]

  /// Creates a stack without screens, which shows the root.
  public init() {}

  /// Creates a stack of screens, starting with the lowest.
  ///
  /// A screen whose ID occurred before is skipped.
  public init(_ screens: some Sequence<Screen>) {
    for screen in screens { push(screen) }
  }

  /// The highest screen, or `nil` if the root is shown.
  public var top: Screen? { screens.last }

  /// The screen with an ID, if it is on the path.
  public subscript(id id: Screen.ID) -> Screen? { positions[id].map { screens[$0] } }

  /// Returns `true` if a screen with an ID is on the path.
  public func contains(id: Screen.ID) -> Bool { positions[id] != nil }

  /// The number of screens below the one with an ID.
  func position(of id: Screen.ID) -> Int? { positions[id] }

  // MARK: - Changes

  /// Opens a screen above the others.
  ///
  /// - Returns: `false` if a screen with the same ID is on the path. That screen does not change.
  @discardableResult
  public mutating func push(_ screen: Screen) -> Bool {
    guard !contains(id: screen.id) else { return false }
    positions[screen.id] = screens.count
    screens.append(screen)
    return true
  }

  /// Closes the highest screen.
  ///
  /// On an empty path it does nothing.
  ///
  /// - Returns: The screen that was closed, or `nil` if the root was shown.
  @discardableResult
  public mutating func pop() -> Screen? {
    guard let screen = screens.popLast() else { return nil }
    positions[screen.id] = nil
    return screen
  }

  /// Closes all screens.
  public mutating func popToRoot() { self = Stack() }

  /// Closes all screens above the one with an ID.
  ///
  /// - Returns: `false` if there is no such screen. Then nothing changes.
  @discardableResult
  public mutating func pop(to id: Screen.ID) -> Bool {
    guard let position = positions[id] else { return false }
    shorten(to: position + 1)
    return true
  }

  /// Closes the screen with an ID, and all screens above it.
  ///
  /// - Returns: `false` if there is no such screen. Then nothing changes.
  @discardableResult
  public mutating func close(_ id: Screen.ID) -> Bool {
    guard let position = positions[id] else { return false }
    shorten(to: position)
    return true
  }

  /// Replaces the highest screen, or opens a screen on an empty path.
  ///
  /// - Returns: `false` if another screen of the path has the same ID.
  @discardableResult
  public mutating func replace(with screen: Screen) -> Bool {
    if let position = positions[screen.id], position != count - 1 { return false }
    pop()
    return push(screen)
  }

  /// Replaces the screen with an ID.
  ///
  /// The screens above it stay.
  ///
  /// - Returns: `false` if there is no such screen, or if another screen of the path has the ID of
  ///   the new one.
  @discardableResult
  public mutating func replace(_ id: Screen.ID, with screen: Screen) -> Bool {
    if screen.id != id, contains(id: screen.id) { return false }
    return change(id) { $0 = screen } != nil
  }

  /// Replaces all screens, starting with the lowest.
  ///
  /// A screen whose ID occurred before is skipped.
  public mutating func set(_ screens: some Sequence<Screen>) { self = Stack(screens) }

  /// Changes the screen with an ID.
  ///
  /// It returns `nil` if there is no such screen. The closure must not change the ID.
  @discardableResult
  public mutating func change<Result>(
    _ id: Screen.ID, _ body: (inout Screen) -> Result
  ) -> Result? {
    guard let position = positions[id] else { return nil }
    let result = body(&screens[position])
    if screens[position].id != id {
      positions[id] = nil
      positions[screens[position].id] = position
    }
    return result
  }

  private mutating func shorten(to count: Int) {
    for screen in screens[count...] { positions[screen.id] = nil }
    screens.removeSubrange(count...)
  }
}

extension Stack: Equatable {
  /// Compares the screens.
  public static func == (left: Stack, right: Stack) -> Bool { left.screens == right.screens }
}

extension Stack: RandomAccessCollection, ExpressibleByArrayLiteral {
  /// The position of the lowest screen.
  public var startIndex: Int { 0 }

  /// The number of screens.
  public var endIndex: Int { screens.count }

  /// The screen at a position from the bottom.
  public subscript(position: Int) -> Screen { screens[position] }

  /// Creates a stack of screens, starting with the lowest.
  ///
  /// A screen whose ID occurred before is skipped.
  public init(arrayLiteral screens: Screen...) { self.init(screens) }
}

extension Stack: CustomReflectable, CustomStringConvertible {
  /// The screens, for logs.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: screens, displayStyle: .collection)
  }

  /// The screens as text, starting with the lowest.
  public var description: String { "\(screens)" }
}

extension Stack: Encodable where Screen: Encodable {
  /// Encodes the screens as a list, starting with the lowest.
  public func encode(to encoder: any Encoder) throws { try screens.encode(to: encoder) }
}

extension Stack: Decodable where Screen: Decodable {
  /// Decodes a list of screens, starting with the lowest.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if two screens have the same ID.
  public init(from decoder: any Decoder) throws {
    let screens = try [Screen](from: decoder)
    self.init(screens)
    guard count == screens.count else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "two screens have one id"))
    }
  }
}

// MARK: - Moves

extension Stack {
  /// A change of a path, as a value.
  public enum Move: Equatable, Sendable {
    /// Opens a screen, unless a screen with its ID is on the path.
    case push(Screen)
    /// Closes the highest screen.
    case pop
    /// Closes all screens.
    case popToRoot
    /// Closes all screens above the one with an ID.
    case popTo(Screen.ID)
    /// Closes the screen with an ID, and all screens above it.
    case close(Screen.ID)
    /// Replaces the highest screen.
    case replace(Screen)
    /// Replaces all screens.
    case set([Screen])
  }

  /// Applies a move.
  ///
  /// If it names a screen that is not on the path, nothing changes.
  ///
  /// - Returns: `false` if nothing changed.
  @discardableResult
  public mutating func apply(_ move: Move) -> Bool {
    switch move {
    case .push(let screen): return push(screen)
    case .pop: return pop() != nil
    case .popToRoot: popToRoot()
    case .popTo(let id): return pop(to: id)
    case .close(let id): return close(id)
    case .replace(let screen): return replace(with: screen)
    case .set(let screens): set(screens)
    }
    return true
  }
}

extension Stack.Move: Encodable where Screen: Encodable, Screen.ID: Encodable {}
extension Stack.Move: Decodable where Screen: Decodable, Screen.ID: Decodable {}
