extension Feature {
  /// Plugs in a feature for each screen in a stack.
  ///
  /// The effects of a screen end in the step that removes it from the stack.
  public func stack<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Stack<Part.Design>> & Sendable,
    _ change: CasePath<B.Change, StackChange<Part>>, _ feature: Feature<Part>
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    screens(place, change.screen(), feature) {
      if case .move(let move) = change.extract($0) { move } else { nil }
    }
  }

  /// Plugs in a feature for each presented screen.
  ///
  /// The effects of a screen end in the step that dismisses it.
  public func presented<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Presented<Part.Design>> & Sendable,
    _ change: CasePath<B.Change, PresentedChange<Part>>, _ feature: Feature<Part>
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    screens(place, change.screen(), feature) {
      if case .move(let move) = change.extract($0) { move } else { nil }
    }
  }

  private func screens<Part: Blueprint, Holder: ScreenHolder<Part.Design>>(
    _ place: any WritableKeyPath<B.Design, Holder> & Sendable,
    _ screen: CasePath<B.Change, (Part.Design.ID, Part.Change)>, _ feature: Feature<Part>,
    move: @escaping @Sendable (B.Change) -> Holder.Move?
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    adding(feature, .screens(place, screen)) { design, whole, apply in
      if let (id, change) = screen.extract(whole) {
        return design[keyPath: place].change(id) { apply(&$0, change) } ?? .missing
      }
      guard let move = move(whole) else { return .other }
      _ = design[keyPath: place].apply(move)
      return .applied
    }
  }

  /// Opens and closes the screens of a stack in response to changes.
  ///
  /// ```swift
  /// let app = Feature(App())
  ///   .stack(\.path, .case(App.Change.path), screen)
  ///   .navigation(\.path) {
  ///     if case .path(.screen(let id, .done)) = $0 { .close(id) } else { nil }
  ///   }
  /// ```
  ///
  /// The closure returns the move that a change causes, or `nil` if it causes none. The move is
  /// applied in the same step as the change, after the parts and the blueprint have applied the
  /// change.
  public func navigation<Screen>(
    _ place: any WritableKeyPath<B.Design, Stack<Screen>> & Sendable,
    for move: @escaping @Sendable (B.Change) -> Stack<Screen>.Move?
  ) -> Feature {
    addingLaterStep { design, change in
      if let move = move(change) { design[keyPath: place].apply(move) }
    }
  }

  /// Presents and dismisses screens in response to changes.
  ///
  /// The closure returns the move that a change causes, or `nil` if it causes none. The move is
  /// applied in the same step as the change, after the parts and the blueprint have applied the
  /// change.
  public func navigation<Screen>(
    _ place: any WritableKeyPath<B.Design, Presented<Screen>> & Sendable,
    for move: @escaping @Sendable (B.Change) -> Presented<Screen>.Move?
  ) -> Feature {
    addingLaterStep { design, change in
      if let move = move(change) { design[keyPath: place].apply(move) }
    }
  }

  /// Plugs in a feature for one kind of screen: the payload of one case of the design.
  ///
  /// The effects of the feature end when the design changes to another case.
  public func route<Part: Blueprint>(
    _ shown: CasePath<B.Design, Part.Design>, _ change: CasePath<B.Change, Part.Change>,
    _ feature: Feature<Part>
  ) -> Feature {
    optional(\.self, case: shown, change, feature)
  }
}

extension CasePath {
  /// Returns the path to a change to a single screen in a stack.
  func screen<Rules>() -> CasePath<Whole, (Rules.Design.ID, Rules.Change)>
  where Part == StackChange<Rules> {
    CasePath<Whole, (Rules.Design.ID, Rules.Change)>(
      embed: { embed(.screen($0.0, $0.1)) },
      extract: { whole in
        if case .screen(let id, let change) = extract(whole) { (id, change) } else { nil }
      })
  }

  /// Returns the path to a change to a single presented screen.
  func screen<Rules>() -> CasePath<Whole, (Rules.Design.ID, Rules.Change)>
  where Part == PresentedChange<Rules> {
    CasePath<Whole, (Rules.Design.ID, Rules.Change)>(
      embed: { embed(.screen($0.0, $0.1)) },
      extract: { whole in
        if case .screen(let id, let change) = extract(whole) { (id, change) } else { nil }
      })
  }
}

/// A blueprint for several kinds of screens.
///
/// It does not apply changes itself. Plug in a feature for each kind with
/// ``Feature/route(_:_:_:)``:
///
/// ```swift
/// let screen = Feature(Screens<Screen, ScreenChange>())
///   .route(.case(Screen.photo), .case(ScreenChange.photo), photo)
///   .route(.case(Screen.help), .case(ScreenChange.help), help)
/// ```
public struct Screens<Screen: Equatable & Sendable, ScreenChange: Equatable & Sendable>: Blueprint {
  /// An enum with one case for each kind of screen.
  public typealias Design = Screen
  /// An enum with one case for the changes to each kind of screen.
  public typealias Change = ScreenChange

  /// Creates the blueprint.
  public init() {}

  /// Does nothing, because the parts apply all changes.
  public func change(_ design: inout Screen, on change: ScreenChange) {}
}
