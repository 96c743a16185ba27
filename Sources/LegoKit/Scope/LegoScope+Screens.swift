extension LegoScope {
  /// A store of one screen of a path.
  ///
  /// It ends as <doc:Features> says, in the step in which the screen leaves the path.
  ///
  /// - Parameters:
  ///   - keyPath: The path.
  ///   - id: The screen's id.
  ///   - change: Makes a change of this part of the id and a change of the screen.
  /// - Returns: A store of the screen, or `nil` when there is none with the id.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Stack<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> Change
  ) -> LegoScope<Screen, PartChange>? {
    part({ _ in .screen(of: keyPath, id) }, change: { change(id, $0) })
  }

  /// A store of one screen that is presented, which ends as that of one on a path does.
  ///
  /// - Parameters:
  ///   - keyPath: What is presented.
  ///   - id: The screen's id.
  ///   - change: Makes a change of this part of the id and a change of the screen.
  /// - Returns: A store of the screen, or `nil` when there is none with the id.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Presented<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> Change
  ) -> LegoScope<Screen, PartChange>? {
    part({ _ in .screen(of: keyPath, id) }, change: { change(id, $0) })
  }
}

extension Lego {
  /// A store of one screen of a path.
  ///
  /// It ends as <doc:Features> says, in the step in which the screen leaves the path.
  ///
  /// - Parameters:
  ///   - keyPath: The path.
  ///   - id: The screen's id.
  ///   - change: Makes a change of the whole of the id and a change of the screen.
  /// - Returns: A store of the screen, or `nil` when there is none with the id.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Stack<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> B.Change
  ) -> LegoScope<Screen, PartChange>? {
    wholeScope().scope(keyPath, id: id, change: change)
  }

  /// A store of one screen that is presented, which ends as that of one on a path does.
  ///
  /// - Parameters:
  ///   - keyPath: What is presented.
  ///   - id: The screen's id.
  ///   - change: Makes a change of the whole of the id and a change of the screen.
  /// - Returns: A store of the screen, or `nil` when there is none with the id.
  public func scope<Screen, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Presented<Screen>> & Sendable, id: Screen.ID,
    change: @escaping @Sendable (Screen.ID, PartChange) -> B.Change
  ) -> LegoScope<Screen, PartChange>? {
    wholeScope().scope(keyPath, id: id, change: change)
  }
}
