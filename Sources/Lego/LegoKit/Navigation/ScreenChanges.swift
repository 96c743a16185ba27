/// A change of a ``Stack``: a change of one of its screens, or a move.
///
/// `Rules` is the blueprint of the screens.
public enum StackChange<Rules: Blueprint>: Equatable, Sendable
where Rules.Design: Identifiable, Rules.Design.ID: Sendable {
  /// A change of the screen with an ID.
  case screen(Rules.Design.ID, Rules.Change)
  /// A change of the path.
  case move(Stack<Rules.Design>.Move)
}

/// A change of a ``Presented`` value: a change of one of its screens, or a move.
///
/// `Rules` is the blueprint of the screens.
public enum PresentedChange<Rules: Blueprint>: Equatable, Sendable
where Rules.Design: Identifiable, Rules.Design.ID: Sendable {
  /// A change of the screen with an ID.
  case screen(Rules.Design.ID, Rules.Change)
  /// A change of the list of presented screens.
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

/// A stack or the presented screens.
protocol ScreenHolder<Screen>: Equatable, Sendable {
  associatedtype Screen: Identifiable & Equatable & Sendable where Screen.ID: Sendable
  associatedtype Move: Equatable & Sendable

  /// The screens as a stack.
  var stack: Stack<Screen> { get }

  /// Changes the screen with an ID, if there is one.
  mutating func change<Result>(_ id: Screen.ID, _ body: (inout Screen) -> Result) -> Result?

  /// Changes the list of screens.
  mutating func apply(_ move: Move) -> Bool
}

extension Stack: ScreenHolder {
  var stack: Stack { self }
}

extension Presented: ScreenHolder {
  var stack: Stack<Screen> { chain }
}
