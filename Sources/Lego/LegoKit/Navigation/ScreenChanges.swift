/// A change to a ``Stack``: a change to one of its screens, or a move.
///
/// `Rules` is the blueprint of the screens.
public enum StackChange<Rules: Blueprint>: Equatable, Sendable
where Rules.Design: Identifiable, Rules.Design.ID: Sendable {
  /// A change to the screen with the given ID.
  case screen(Rules.Design.ID, Rules.Change)
  /// A move that opens, closes or replaces screens.
  case move(Stack<Rules.Design>.Move)
}

/// A change to a ``Presented`` value: a change to one of its screens, or a move.
///
/// `Rules` is the blueprint of the screens.
public enum PresentedChange<Rules: Blueprint>: Equatable, Sendable
where Rules.Design: Identifiable, Rules.Design.ID: Sendable {
  /// A change to the screen with the given ID.
  case screen(Rules.Design.ID, Rules.Change)
  /// A move that presents or dismisses screens.
  case move(Presented<Rules.Design>.Move)
}

extension StackChange: Encodable
where Rules.Design: Encodable, Rules.Design.ID: Encodable, Rules.Change: Encodable {}
extension StackChange: Decodable
where Rules.Design: Decodable, Rules.Design.ID: Decodable, Rules.Change: Decodable {}
extension PresentedChange: Encodable
where Rules.Design: Encodable, Rules.Design.ID: Encodable, Rules.Change: Encodable {}
extension PresentedChange: Decodable
where Rules.Design: Decodable, Rules.Design.ID: Decodable, Rules.Change: Decodable {}

/// A ``Stack`` or a ``Presented`` value.
protocol ScreenHolder<Screen>: Equatable, Sendable {
  associatedtype Screen: Identifiable & Equatable & Sendable where Screen.ID: Sendable
  associatedtype Move: Equatable & Sendable

  /// The screens as a stack.
  var stack: Stack<Screen> { get }

  /// Changes the screen with the given ID in place, and returns the closure's result, or `nil` if
  /// the screen does not exist.
  mutating func change<Result>(_ id: Screen.ID, _ body: (inout Screen) -> Result) -> Result?

  /// Applies a move, or returns `false` if it is impossible.
  mutating func apply(_ move: Move) -> Bool
}

extension Stack: ScreenHolder {
  var stack: Stack { self }
}

extension Presented: ScreenHolder {
  var stack: Stack<Screen> { chain }
}
