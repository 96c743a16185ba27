extension Feature {
  /// Plugs in a feature for each screen of a path.
  ///
  /// The effects of a screen end in the step in which it leaves the path, however it does.
  ///
  /// - Parameters:
  ///   - place: The path.
  ///   - change: How a change of the path lies in a change of this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the screens.
  @inlinable public func stack<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Stack<Part.Design>> & Sendable,
    _ change: CasePath<B.Change, StackChange<Part>>, _ feature: Feature<Part>
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    screens(place, change.screen(), feature) {
      if case .move(let move) = change.extract($0) { move } else { nil }
    }
  }

  /// Plugs in a feature for each screen that is presented.
  ///
  /// The effects of a screen end in the step in which it is dismissed, however it is.
  ///
  /// - Parameters:
  ///   - place: What is presented.
  ///   - change: How a change of what is presented lies in a change of this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the screens.
  @inlinable public func presented<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Presented<Part.Design>> & Sendable,
    _ change: CasePath<B.Change, PresentedChange<Part>>, _ feature: Feature<Part>
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    screens(place, change.screen(), feature) {
      if case .move(let move) = change.extract($0) { move } else { nil }
    }
  }

  @inlinable func screens<Part: Blueprint, Holder: ScreenHolder<Part.Design>>(
    _ place: any WritableKeyPath<B.Design, Holder> & Sendable,
    _ screen: CasePath<B.Change, (Part.Design.ID, Part.Change)>, _ feature: Feature<Part>,
    move: @escaping @Sendable (B.Change) -> Holder.Move?
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    let outcome = feature.outcome
    return adding(feature, .screens(place, screen)) { design, whole in
      if let (id, change) = screen.extract(whole) {
        return design[keyPath: place].change(id) { outcome(&$0, change) } ?? .absent
      }
      guard let move = move(whole) else { return .other }
      _ = design[keyPath: place].apply(move)
      return .applied
    }
  }

  /// Turns changes into moves on a path, in the same step.
  ///
  /// ```swift
  /// let app = Feature(App())
  ///   .stack(\.path, .case(App.Change.path, \.path), screen)
  ///   .navigation(\.path) { if case .path(.screen(let id, .done)) = $0 { .close(id) } else { nil } }
  /// ```
  ///
  /// A move is made after the parts and the blueprint have applied the change.
  ///
  /// - Parameters:
  ///   - place: The path.
  ///   - move: The move that a change makes, if it makes one.
  /// - Returns: This feature with the moves.
  @inlinable public func navigation<Screen>(
    _ place: any WritableKeyPath<B.Design, Stack<Screen>> & Sendable,
    for move: @escaping @Sendable (B.Change) -> Stack<Screen>.Move?
  ) -> Feature {
    moving(place, move)
  }

  /// Turns changes into moves of what is presented, in the same step.
  ///
  /// A move is made after the parts and the blueprint have applied the change.
  ///
  /// - Parameters:
  ///   - place: What is presented.
  ///   - move: The move that a change makes, if it makes one.
  /// - Returns: This feature with the moves.
  @inlinable public func navigation<Screen>(
    _ place: any WritableKeyPath<B.Design, Presented<Screen>> & Sendable,
    for move: @escaping @Sendable (B.Change) -> Presented<Screen>.Move?
  ) -> Feature {
    moving(place, move)
  }

  @inlinable func moving<Holder: ScreenHolder>(
    _ place: any WritableKeyPath<B.Design, Holder> & Sendable,
    _ move: @escaping @Sendable (B.Change) -> Holder.Move?
  ) -> Feature {
    addingAfterwards { design, change in
      if let move = move(change) { _ = design[keyPath: place].apply(move) }
    }
  }
}
