/// What holds screens, each known by its id.
@usableFromInline protocol ScreenHolder<Screen>: Equatable, Sendable {
  associatedtype Screen: Identifiable & Equatable & Sendable where Screen.ID: Sendable
  associatedtype Move: Equatable & Sendable

  /// The screens as a stack, to be looked at.
  var stack: Stack<Screen> { get }

  /// Changes the screen with an id, if there is one.
  mutating func change<Result>(_ id: Screen.ID, _ body: (inout Screen) -> Result) -> Result?

  /// Changes which screens there are.
  mutating func apply(_ move: Move) -> Bool
}

extension Stack: ScreenHolder {
  @inlinable var stack: Stack { self }
}

extension Presented: ScreenHolder {
  @usableFromInline var stack: Stack<Screen> { chain }
}
