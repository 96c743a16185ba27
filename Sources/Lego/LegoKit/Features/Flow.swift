/// The blueprint of a flow: a root, a path of screens above it, and screens presented over them.
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
  /// The screens that a flow shows.
  public struct Design: Equatable, Sendable {
    /// The root, which is shown if the path is empty.
    public var root: Root.Design
    /// The screens above the root.
    public var path: Stack<Screen.Design>
    /// The presented screens.
    public var modals: Presented<Screen.Design>

    /// Creates a flow.
    public init(
      root: Root.Design, path: Stack<Screen.Design> = [], modals: Presented<Screen.Design> = []
    ) {
      self.root = root
      self.path = path
      self.modals = modals
    }
  }

  /// A change of a flow.
  public enum Change: Equatable, Sendable {
    /// A change of the root.
    case root(Root.Change)
    /// A change of a screen on the path, or a move on the path.
    case path(StackChange<Screen>)
    /// A change of a presented screen, or of the list of presented screens.
    case modals(PresentedChange<Screen>)

    var root: Root.Change? { if case .root(let change) = self { change } else { nil } }
    var path: StackChange<Screen>? {
      if case .path(let change) = self { change } else { nil }
    }
    var modals: PresentedChange<Screen>? {
      if case .modals(let change) = self { change } else { nil }
    }
  }

  /// A change of the list of screens.
  public enum Move: Equatable, Sendable {
    /// A move on the path.
    case path(Stack<Screen.Design>.Move)
    /// A change of the presented screens.
    case modals(Presented<Screen.Design>.Move)
  }

  /// Creates the blueprint of a flow.
  ///
  /// All changes are applied by its parts.
  public init() {}

  /// Does nothing.
  public func change(_ design: inout Design, on change: Change) {}
}

extension Flow.Design: Identifiable where Root.Design: Identifiable {
  /// The ID of the root.
  ///
  /// It makes a flow usable as a screen.
  public var id: Root.Design.ID { root.id }
}

extension Feature {
  /// A feature of a flow: a root, screens above it, and presented screens.
  ///
  /// - Parameters:
  ///   - root: The feature of the root.
  ///   - screens: The feature of a screen, which may have a case for each kind.
  ///   - navigation: Returns the move of a change, or `nil` if there is none. The move is made in
  ///     the same step.
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
