/// A root with a path of screens above it and screens presented over it: the blueprint of a flow.
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
  /// Where the flow stands.
  public struct Design: Equatable, Sendable {
    /// What is shown when the path is empty.
    public var root: Root.Design
    /// The screens above the root.
    public var path: Stack<Screen.Design>
    /// The screens over all that.
    public var modals: Presented<Screen.Design>

    /// Creates a flow that shows its root, or screens above it.
    public init(
      root: Root.Design, path: Stack<Screen.Design> = [], modals: Presented<Screen.Design> = []
    ) {
      self.root = root
      self.path = path
      self.modals = modals
    }
  }

  /// What can happen in a flow.
  public enum Change: Equatable, Sendable {
    /// A change of the root.
    case root(Root.Change)
    /// A change of a screen on the path, or a move on the path.
    case path(StackChange<Screen>)
    /// A change of a presented screen, or of which are presented.
    case modals(PresentedChange<Screen>)

    @inlinable var root: Root.Change? { if case .root(let change) = self { change } else { nil } }
    @inlinable var path: StackChange<Screen>? {
      if case .path(let change) = self { change } else { nil }
    }
    @inlinable var modals: PresentedChange<Screen>? {
      if case .modals(let change) = self { change } else { nil }
    }
  }

  /// A change of which screens there are.
  public enum Move: Equatable, Sendable {
    /// A move on the path.
    case path(Stack<Screen.Design>.Move)
    /// A change of what is presented.
    case modals(Presented<Screen.Design>.Move)
  }

  /// Creates the blueprint of a flow, whose parts do all there is to do.
  @inlinable public init() {}

  /// Does nothing beside what the parts do.
  @inlinable public func change(_ design: inout Design, on change: Change) {}
}

extension Flow.Design: Identifiable where Root.Design: Identifiable {
  /// That of the root, for a flow that is a screen itself.
  public var id: Root.Design.ID { root.id }
}

extension Feature {
  /// A feature of a flow: a root, and screens above and over it.
  ///
  /// - Parameters:
  ///   - root: The feature of the root.
  ///   - screens: The feature of a screen, which may have a case for each kind.
  ///   - navigation: The move that a change makes, if it makes one, in the same step.
  /// - Returns: The feature.
  @inlinable public static func flow<Root: Blueprint, Screen: Blueprint>(
    root: Feature<Root>, screens: Feature<Screen>,
    navigation: @escaping @Sendable (Flow<Root, Screen>.Change) -> Flow<Root, Screen>.Move? = {
      _ in nil
    }
  ) -> Feature where B == Flow<Root, Screen> {
    Feature(Flow())
      .part(\.root, .case(B.Change.root, { $0.root }), root)
      .stack(\.path, .case(B.Change.path, { $0.path }), screens)
      .presented(\.modals, .case(B.Change.modals, { $0.modals }), screens)
      .addingAfterwards { design, change in
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
