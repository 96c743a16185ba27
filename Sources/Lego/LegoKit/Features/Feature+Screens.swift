extension Feature {
  /// Plugs in a feature for each screen of a path.
  ///
  /// The effects of a screen end as soon as it leaves the path, in the same step.
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
  /// The effects of a screen end as soon as it is dismissed, in the same step.
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

  /// Turns changes into moves on a path, in the same step.
  ///
  /// ```swift
  /// let app = Feature(App())
  ///   .stack(\.path, .case(App.Change.path), screen)
  ///   .navigation(\.path) {
  ///     if case .path(.screen(let id, .done)) = $0 { .close(id) } else { nil }
  ///   }
  /// ```
  ///
  /// The move is made after the parts and the blueprint have applied the change.
  public func navigation<Screen>(
    _ place: any WritableKeyPath<B.Design, Stack<Screen>> & Sendable,
    for move: @escaping @Sendable (B.Change) -> Stack<Screen>.Move?
  ) -> Feature {
    addingLaterStep { design, change in
      if let move = move(change) { design[keyPath: place].apply(move) }
    }
  }

  /// Turns changes into moves of the presented screens, in the same step.
  ///
  /// A move follows after the parts and the blueprint have applied the change.
  public func navigation<Screen>(
    _ place: any WritableKeyPath<B.Design, Presented<Screen>> & Sendable,
    for move: @escaping @Sendable (B.Change) -> Presented<Screen>.Move?
  ) -> Feature {
    addingLaterStep { design, change in
      if let move = move(change) { design[keyPath: place].apply(move) }
    }
  }

  /// Plugs in the feature of one kind of screen: the payload of a case of the design.
  ///
  /// Its effects end when the screen becomes another case.
  public func route<Part: Blueprint>(
    _ shown: CasePath<B.Design, Part.Design>, _ change: CasePath<B.Change, Part.Change>,
    _ feature: Feature<Part>
  ) -> Feature {
    optional(\.self, case: shown, change, feature)
  }
}

extension CasePath {
  /// The path to a change of one screen of a stack.
  func screen<Rules>() -> CasePath<Whole, (Rules.Design.ID, Rules.Change)>
  where Part == StackChange<Rules> {
    CasePath<Whole, (Rules.Design.ID, Rules.Change)>(
      embed: { embed(.screen($0.0, $0.1)) },
      extract: { whole in
        if case .screen(let id, let change) = extract(whole) { (id, change) } else { nil }
      })
  }

  /// The path to a change of one presented screen.
  func screen<Rules>() -> CasePath<Whole, (Rules.Design.ID, Rules.Change)>
  where Part == PresentedChange<Rules> {
    CasePath<Whole, (Rules.Design.ID, Rules.Change)>(
      embed: { embed(.screen($0.0, $0.1)) },
      extract: { whole in
        if case .screen(let id, let change) = extract(whole) { (id, change) } else { nil }
      })
  }
}

/// The blueprint of a screen that is one of several kinds.
///
/// All changes are applied by its parts.
///
/// ```swift
/// let screen = Feature(Screens<Screen, ScreenChange>())
///   .route(.case(Screen.photo), .case(ScreenChange.photo), photo)
///   .route(.case(Screen.help), .case(ScreenChange.help), help)
/// ```
public struct Screens<Screen: Equatable & Sendable, ScreenChange: Equatable & Sendable>: Blueprint {
  /// A screen: an enumeration with a case for each kind.
  public typealias Design = Screen
  /// A change of a screen: an enumeration with a case for each kind.
  public typealias Change = ScreenChange

  /// Creates the blueprint.
  public init() {}

  /// Does nothing.
  public func change(_ design: inout Screen, on change: ScreenChange) {}
}
