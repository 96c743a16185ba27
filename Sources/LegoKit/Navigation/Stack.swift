/// The screens above a root, as a value in a design: each was opened from the one below it.
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
/// A screen is known by its id, which must stay what it is while the screen is on the path. No two
/// screens on a path have one id: to open a screen that is there already changes nothing. Whether a
/// kind of screen may appear twice is therefore a question of its ids.
///
/// Copies share their screens. To push and to pop costs the same at every depth.
public struct Stack<Screen: Identifiable & Equatable & Sendable>: Sendable
where Screen.ID: Sendable {
  private var path = PathList<Screen>()
  private var index = PathIndex()

  /// Creates a stack without screens: the root is shown.
  public init() {}

  /// Creates a stack of screens, the lowest first; one whose id came before is left out.
  public init(_ screens: some Sequence<Screen>) {
    for screen in screens { push(screen) }
  }

  /// The screen on top; `nil` when the root is shown.
  public var top: Screen? { path.newest }

  /// All screens, the lowest first.
  public var screens: [Screen] { path.newestFirst.reversed() }

  /// The screen with an id, if it is on the path.
  public subscript(id id: Screen.ID) -> Screen? {
    position(of: id).flatMap { path.element(at: count - 1 - $0) }
  }

  /// Whether a screen with an id is on the path.
  public func contains(id: Screen.ID) -> Bool { position(of: id) != nil }

  /// How many screens of the path are below the one with an id.
  func position(of id: Screen.ID) -> Int? {
    index.position(of: id.hashValue) { path.element(at: count - 1 - $0)?.id == id }
  }

  // MARK: - Changes

  /// Opens a screen above the others.
  ///
  /// - Returns: Whether it was opened; not, when one with its id is on the path, which stays as
  ///   it is.
  @discardableResult
  public mutating func push(_ screen: Screen) -> Bool {
    let id = screen.id
    guard !contains(id: id) else { return false }
    path.push(screen)
    index.push(id.hashValue)
    return true
  }

  /// Closes the screen on top; on an empty path it does nothing.
  ///
  /// - Returns: The screen that was closed, or `nil` when the root was shown.
  @discardableResult
  public mutating func pop() -> Screen? {
    guard let screen = path.pop() else { return nil }
    index.pop(to: path.count)
    return screen
  }

  /// Closes all screens.
  public mutating func popToRoot() { self = Stack() }

  /// Closes all screens above the one with an id.
  ///
  /// - Returns: Whether there is such a screen; else nothing changes.
  @discardableResult
  public mutating func pop(to id: Screen.ID) -> Bool {
    guard let position = position(of: id) else { return false }
    shorten(to: position + 1)
    return true
  }

  /// Closes the screen with an id, and those above it.
  ///
  /// - Returns: Whether there is such a screen; else nothing changes.
  @discardableResult
  public mutating func close(_ id: Screen.ID) -> Bool {
    guard let position = position(of: id) else { return false }
    shorten(to: position)
    return true
  }

  /// Puts a screen in the place of the one on top, or opens it on an empty path.
  ///
  /// - Returns: Whether it was opened; not, when another screen of the path has its id.
  @discardableResult
  public mutating func replace(with screen: Screen) -> Bool {
    if let position = position(of: screen.id), position != count - 1 { return false }
    pop()
    return push(screen)
  }

  /// Puts a screen in the place of the one with an id; those above it stay.
  ///
  /// - Returns: Whether it was opened; not, when there is no such screen, or when another screen of
  ///   the path has the new one's id.
  @discardableResult
  public mutating func replace(_ id: Screen.ID, with screen: Screen) -> Bool {
    if screen.id != id, contains(id: screen.id) { return false }
    return change(id) { $0 = screen } != nil
  }

  /// Makes the path one of these screens, the lowest first; one whose id came before is left out.
  public mutating func set(_ screens: some Sequence<Screen>) { self = Stack(screens) }

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
    guard let position = position(of: id) else { return nil }
    var result: Result?
    var hasOtherID = false
    path.change(at: count - 1 - position) { screen in
      result = body(&screen)
      hasOtherID = screen.id != id
    }
    if hasOtherID { index = PathIndex(screens.lazy.map(\.id.hashValue)) }
    return result
  }

  private mutating func shorten(to count: Int) {
    while path.count > count, path.pop() != nil {}
    index.pop(to: count)
  }

  /// What differs between an earlier stack and this one: what stood at a place, and what stands
  /// there, the highest first.
  func differences(from earlier: Stack) -> (before: [Screen], after: [Screen]) {
    path.differences(from: earlier.path, by: ==)
  }

  /// The screens of an earlier stack that may be other ones in this one, or gone.
  ///
  /// Screens are not compared, so that nothing of a stranger's is called but the ids.
  func touched(since earlier: Stack) -> [Screen] {
    path.differences(from: earlier.path) { _, _ in false }.before
  }
}

extension Stack: Equatable {
  /// Compares the screens; those that two stacks share are not looked at.
  public static func == (left: Stack, right: Stack) -> Bool { left.path == right.path }
}

extension Stack: RandomAccessCollection, ExpressibleByArrayLiteral {
  /// Where the lowest screen stands.
  public var startIndex: Int { 0 }

  /// How many screens there are.
  public var endIndex: Int { path.count }

  /// The screen at a position from the bottom; it takes as many steps as the depth has digits.
  public subscript(position: Int) -> Screen {
    guard position >= 0, position < count, let screen = path.element(at: count - 1 - position)
    else { preconditionFailure("a position beyond the path") }
    return screen
  }

  /// Goes through the screens, the lowest first.
  public func makeIterator() -> IndexingIterator<[Screen]> { screens.makeIterator() }

  /// Creates a stack of screens, the lowest first; one whose id came before is left out.
  public init(arrayLiteral screens: Screen...) { self.init(screens) }
}

extension Stack: CustomReflectable, CustomStringConvertible {
  /// The screens, for logs.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: screens, displayStyle: .collection)
  }

  /// The screens as text, the lowest first.
  public var description: String { "\(screens)" }
}

extension Stack: Encodable where Screen: Encodable {
  /// Writes the screens as a list, the lowest first.
  public func encode(to encoder: any Encoder) throws { try screens.encode(to: encoder) }
}

extension Stack: Decodable where Screen: Decodable {
  /// Reads a list of screens, the lowest first.
  ///
  /// - Throws: `DecodingError.dataCorrupted` when two screens have one id.
  public init(from decoder: any Decoder) throws {
    let screens = try [Screen](from: decoder)
    self.init(screens)
    guard count == screens.count else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "two screens have one id"))
    }
  }
}

extension Stack {
  /// A change of a path, as a value.
  public enum Move: Equatable, Sendable {
    /// Opens a screen, unless one with its id is on the path.
    case push(Screen)
    /// Closes the screen on top.
    case pop
    /// Closes all screens.
    case popToRoot
    /// Closes all screens above the one with an id.
    case popTo(Screen.ID)
    /// Closes the screen with an id, and those above it.
    case close(Screen.ID)
    /// Puts a screen in the place of the one on top.
    case replace(Screen)
    /// Makes the path one of these screens.
    case set([Screen])
  }

  /// Changes the path by a move; one that names a screen which is not there changes nothing.
  ///
  /// - Returns: Whether the move could be made.
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
