/// What happens beside a change: it turns a change into later changes.
///
/// An adaptor belongs to one store, which calls it after each change, never twice at a time and
/// outside the store's lock. It may build on the store; such changes are applied at once, and
/// told after the one being told.
open class Adaptor<B: Blueprint> {
  // What the methods below return unless they are overridden. Made here, where it is compiled for
  // the blueprint at hand; they themselves are compiled for any, and would look its types up each
  // time.
  @usableFromInline let noPublisher: () -> AnyPublisher<B.Change, Never>
  @usableFromInline let noEffect: () -> Effect<B.Change>

  /// Creates an adaptor.
  @inlinable public init() {
    noPublisher = { .empty }
    noEffect = { .none }
  }

  /// Answers a change with a publisher of the changes that follow from it.
  ///
  /// - Parameters:
  ///   - design: The design as the change left it.
  ///   - change: The change.
  /// - Returns: A publisher of later changes, which is subscribed to at once and for as long as
  ///   the store lives. The default sends nothing and costs nothing.
  open func connect(_ design: B.Design, on change: B.Change) -> AnyPublisher<B.Change, Never> {
    noPublisher()
  }

  /// Answers a change with an effect.
  ///
  /// It is called after ``connect(_:on:)``, and both answers count; most adaptors override one.
  ///
  /// - Parameters:
  ///   - design: The design as the change left it.
  ///   - change: The change.
  /// - Returns: An effect, which starts at once. The default does nothing and costs nothing.
  open func effect(_ design: B.Design, on change: B.Change) -> Effect<B.Change> {
    noEffect()
  }

  /// The effects that follow from the design instead of from a change.
  ///
  /// It is read once, when the store is made.
  open var follows: [Follow<B>] { [] }

  /// Answers the end of the store with the effects that are still owed, such as saving.
  ///
  /// It is called once, by ``Lego/close()``, which waits for the effect. A store that goes away
  /// without it does not ask.
  ///
  /// - Parameter design: The design at the end.
  /// - Returns: An effect, which starts at once. The default does nothing.
  open func closing(_ design: B.Design) -> Effect<B.Change> { .none }

  /// Prepares the first design of the store, before anyone sees it.
  ///
  /// It is called once, while the store is made, on the thread that makes it. It is called for a
  /// part of a bigger design that is always there, too, but not for parts that may come and go.
  ///
  /// - Parameter design: The first design.
  open func opening(_ design: inout B.Design) {}

  /// Answers the beginning of the store with a closure that gets a link to it.
  ///
  /// It is asked for once, while the store is made; the closure is called at the end of that,
  /// outside every lock, and before effects follow from the design. It is not asked for in a part
  /// that may come and go.
  open func opened() -> (@Sendable (StoreLink<B>) -> Void)? { nil }

  /// Answers the end of the store with work that remains once everything else has ended.
  ///
  /// It is called once: by ``Lego/close()``, which waits for the work, or when a store goes away
  /// that was not closed, and then nobody waits for it. It is not called for a part that may come
  /// and go.
  ///
  /// - Parameter design: The last design.
  /// - Returns: The work, or `nil` when there is none.
  open func ended(_ design: B.Design) -> (@Sendable () async -> Void)? { nil }

  /// Whether changes are answered.
  ///
  /// An adaptor that says no is not asked about changes, and costs a build nothing.
  open var answersChanges: Bool { true }

  /// Answers a change with an effect, for the store, which has the design before where
  /// ``comparesDesigns`` asks for it.
  @usableFromInline func answer(
    from before: B.Design?, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    effect(after, on: change)
  }

  /// Whether the design before a change is wanted.
  @usableFromInline var comparesDesigns: Bool { false }

  /// Where parts stand that this adaptor answers for.
  var places: [PartPlace<B.Design>] { [] }
}
