/// The blueprint of a flow: a root, a stack of screens above it, and screens presented over them.
///
/// ```swift
/// let app = Feature.flow(root: album, screens: screen) { change in
///   switch change {
///   case .root(.open(let photo)): .path(.push(.photo(photo)))
///   case .path(.screen(let id, .done)): .path(.close(id))
///   default: nil
///   }
/// }
/// ```
public struct Flow<Root: Blueprint, Screen: Blueprint>: Blueprint
where Screen.Design: Identifiable, Screen.Design.ID: Sendable {
  /// The screens of a flow.
  public struct Design: Equatable, Sendable {
    /// The root, which is shown while ``path`` is empty.
    public var root: Root.Design
    /// The stack of screens above the root.
    public var path: Stack<Screen.Design>
    /// The presented screens.
    public var modals: Presented<Screen.Design>

    /// Creates the design of a flow.
    public init(
      root: Root.Design, path: Stack<Screen.Design> = [], modals: Presented<Screen.Design> = []
    ) {
      self.root = root
      self.path = path
      self.modals = modals
    }
  }

  /// A change to a flow.
  public enum Change: Equatable, Sendable {
    /// A change to the root.
    case root(Root.Change)
    /// A change to a screen in the stack, or a move that opens, closes or replaces screens.
    case path(StackChange<Screen>)
    /// A change to a presented screen, or a move that presents or dismisses screens.
    case modals(PresentedChange<Screen>)

    var root: Root.Change? { if case .root(let change) = self { change } else { nil } }
    var path: StackChange<Screen>? {
      if case .path(let change) = self { change } else { nil }
    }
    var modals: PresentedChange<Screen>? {
      if case .modals(let change) = self { change } else { nil }
    }
  }

  /// A move that changes which screens are shown.
  public enum Move: Equatable, Sendable {
    /// Opens, closes or replaces screens in the stack.
    case path(Stack<Screen.Design>.Move)
    /// Presents or dismisses screens.
    case modals(Presented<Screen.Design>.Move)
  }

  /// Creates the blueprint of a flow.
  ///
  /// The blueprint does not apply changes itself. ``Feature/flow(root:screens:navigation:)`` adds
  /// the parts that do.
  public init() {}

  /// Does nothing, because the parts apply all changes.
  public func change(_ design: inout Design, on change: Change) {}
}

extension Flow.Design: Identifiable where Root.Design: Identifiable {
  /// The ID of the root, so that a flow can itself be used as a screen.
  public var id: Root.Design.ID { root.id }
}

extension Feature {
  /// Returns the feature for a flow: a root, a stack of screens above it, and presented screens.
  ///
  /// - Parameters:
  ///   - root: The feature for the root.
  ///   - screens: The feature for the screens, both in the stack and presented. For several kinds
  ///     of screens, use ``Screens``.
  ///   - navigation: Returns the move that a change causes, or `nil` if it causes none. The move is
  ///     applied in the same step as the change.
  /// - Returns: The feature.
  public static func flow<Root: Blueprint, Screen: Blueprint>(
    root: Feature<Root>, screens: Feature<Screen>,
    navigation: @escaping @Sendable (Flow<Root, Screen>.Change) -> Flow<Root, Screen>.Move? = {
      _ in nil
    }
  ) -> Feature where B == Flow<Root, Screen> {
    Feature(Flow())
      .part(\.root, .case(B.Change.root, { $0.root }), root)
      .stack(\.path, .case(B.Change.path, { $0.path }), screens)
      .presented(\.modals, .case(B.Change.modals, { $0.modals }), screens)
      .addingLaterStep { design, change in
        switch navigation(change) {
        case .path(let move): design.path.apply(move)
        case .modals(let move): design.modals.apply(move)
        case nil: break
        }
      }
  }
}

extension Flow.Design: Encodable where Root.Design: Encodable, Screen.Design: Encodable {}
extension Flow.Design: Decodable where Root.Design: Decodable, Screen.Design: Decodable {}
extension Flow.Change: Encodable
where
  Root.Change: Encodable, Screen.Design: Encodable, Screen.Design.ID: Encodable,
  Screen.Change: Encodable
{}
extension Flow.Change: Decodable
where
  Root.Change: Decodable, Screen.Design: Decodable, Screen.Design.ID: Decodable,
  Screen.Change: Decodable
{}
