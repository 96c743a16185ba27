/// The screens above a root, from bottom to top.
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
/// A screen is identified by its ID, which must not change while the screen is in the stack. All
/// screens in a stack have different IDs: pushing a screen whose ID is already in the stack has no
/// effect. Whether a kind of screen can appear twice therefore depends on its IDs.
public struct Stack<Screen: Identifiable & Equatable & Sendable>: Sendable
where Screen.ID: Sendable {
  /// All screens, from bottom to top.
  public private(set) var screens: [Screen] = []
  private var positions: [Screen.ID: Int] = [:]

  /// Creates an empty stack, which shows the root.
  public init() {}

  /// Creates a stack of screens, from bottom to top.
  ///
  /// If several screens have the same ID, only the first of them is included.
  public init(_ screens: some Sequence<Screen>) {
    for screen in screens { push(screen) }
  }

  /// The topmost screen, or `nil` if the stack is empty.
  public var top: Screen? { screens.last }

  /// The screen with the given ID, or `nil` if it is not in the stack.
  public subscript(id id: Screen.ID) -> Screen? { positions[id].map { screens[$0] } }

  /// Returns `true` if the screen with the given ID is in the stack.
  public func contains(id: Screen.ID) -> Bool { positions[id] != nil }

  /// Returns the number of screens below the screen with the given ID, or `nil` if that screen is
  /// not in the stack.
  func position(of id: Screen.ID) -> Int? { positions[id] }

  // MARK: - Changes

  /// Opens a screen above the others.
  ///
  /// - Returns: `false` if a screen with the same ID is already in the stack, in which case nothing
  ///   changes.
  @discardableResult
  public mutating func push(_ screen: Screen) -> Bool {
    guard !contains(id: screen.id) else { return false }
    positions[screen.id] = screens.count
    screens.append(screen)
    return true
  }

  /// Closes the topmost screen.
  ///
  /// If the stack is empty, nothing changes.
  ///
  /// - Returns: The closed screen, or `nil` if the stack was empty.
  @discardableResult
  public mutating func pop() -> Screen? {
    guard let screen = screens.popLast() else { return nil }
    positions[screen.id] = nil
    return screen
  }

  /// Closes all screens.
  public mutating func popToRoot() { self = Stack() }

  /// Closes all screens above the one with the given ID.
  ///
  /// - Returns: `false` if the screen is not in the stack, in which case nothing changes.
  @discardableResult
  public mutating func pop(to id: Screen.ID) -> Bool {
    guard let position = positions[id] else { return false }
    shorten(to: position + 1)
    return true
  }

  /// Closes the screen with the given ID, and all screens above it.
  ///
  /// - Returns: `false` if the screen is not in the stack, in which case nothing changes.
  @discardableResult
  public mutating func close(_ id: Screen.ID) -> Bool {
    guard let position = positions[id] else { return false }
    shorten(to: position)
    return true
  }

  /// Replaces the topmost screen, or opens the new screen if the stack is empty.
  ///
  /// - Returns: `false` if a screen below has the same ID, in which case nothing changes.
  @discardableResult
  public mutating func replace(with screen: Screen) -> Bool {
    if let position = positions[screen.id], position != count - 1 { return false }
    pop()
    return push(screen)
  }

  /// Replaces the screen with the given ID, and keeps the screens above it.
  ///
  /// - Returns: `false` if the screen is not in the stack, or if another screen in the stack has
  ///   the ID of the new one. In either case, nothing changes.
  @discardableResult
  public mutating func replace(_ id: Screen.ID, with screen: Screen) -> Bool {
    if screen.id != id, contains(id: screen.id) { return false }
    return change(id) { $0 = screen } != nil
  }

  /// Replaces all screens with the given ones, listed from bottom to top.
  ///
  /// If several screens have the same ID, only the first of them is included.
  public mutating func set(_ screens: some Sequence<Screen>) { self = Stack(screens) }

  /// Changes the screen with the given ID in place.
  ///
  /// The closure must not change the ID.
  ///
  /// - Returns: The result of the closure, or `nil` if the screen is not in the stack.
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
  /// Returns `true` if two stacks contain equal screens in the same order.
  public static func == (left: Stack, right: Stack) -> Bool { left.screens == right.screens }
}

extension Stack: RandomAccessCollection, ExpressibleByArrayLiteral {
  /// The position of the bottom screen.
  public var startIndex: Int { 0 }

  /// The position after the topmost screen, which is the number of screens.
  public var endIndex: Int { screens.count }

  /// The screen at the given position, counted from the bottom.
  public subscript(position: Int) -> Screen { screens[position] }

  /// Creates a stack of screens, from bottom to top.
  ///
  /// If several screens have the same ID, only the first of them is included.
  public init(arrayLiteral screens: Screen...) { self.init(screens) }
}

extension Stack: CustomReflectable, CustomStringConvertible {
  /// A mirror of the screens, for logs.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: screens, displayStyle: .collection)
  }

  /// The screens as text, from bottom to top.
  public var description: String { "\(screens)" }
}

extension Stack: Encodable where Screen: Encodable {
  /// Encodes the screens as an array, from bottom to top.
  public func encode(to encoder: any Encoder) throws { try screens.encode(to: encoder) }
}

extension Stack: Decodable where Screen: Decodable {
  /// Decodes an array of screens, from bottom to top.
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
  /// An operation that opens, closes or replaces screens, for use in a change.
  public enum Move: Equatable, Sendable {
    /// Opens a screen, unless a screen with the same ID is already in the stack.
    case push(Screen)
    /// Closes the topmost screen.
    case pop
    /// Closes all screens.
    case popToRoot
    /// Closes all screens above the one with the given ID.
    case popTo(Screen.ID)
    /// Closes the screen with the given ID, and all screens above it.
    case close(Screen.ID)
    /// Replaces the topmost screen, or opens the new screen if the stack is empty.
    case replace(Screen)
    /// Replaces all screens with the given ones, listed from bottom to top.
    case set([Screen])
  }

  /// Applies a move.
  ///
  /// - Returns: `false` if the move is impossible, in which case nothing changes. Closing or
  ///   replacing all screens is always possible.
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
