public import Synchronization

/// The side effects of changes: an adaptor turns a change into later changes.
///
/// An adaptor belongs to one store, which calls it after each change, one call at a time and
/// outside the store's lock. It may build on the store. Such changes are applied at once, and
/// delivered after the change that is being delivered.
open class Adaptor<B: Blueprint> {
  // The defaults are created where the blueprint is known, because generic code for an unknown
  // blueprint takes much longer.
  @usableFromInline let noPublisher: () -> AnyPublisher<B.Change, Never>
  @usableFromInline let noEffect: () -> Effect<B.Change>

  /// Creates an adaptor.
  @inlinable public init() {
    noPublisher = { .empty }
    noEffect = { .none }
  }

  // MARK: - Changes

  /// Returns a publisher of the changes that follow from a change.
  ///
  /// The design is the one after the change.
  ///
  /// - Returns: A publisher of later changes. The store subscribes at once, and for as long as it
  ///   exists. The default sends nothing.
  open func connect(_ design: B.Design, on change: B.Change) -> AnyPublisher<B.Change, Never> {
    noPublisher()
  }

  /// Returns the effect of a change.
  ///
  /// The design is the one after the change. The method is called after ``connect(_:on:)``, and
  /// both results are used. Most adaptors override one.
  ///
  /// - Returns: An effect, which starts at once. The default does nothing.
  open func effect(_ design: B.Design, on change: B.Change) -> Effect<B.Change> { noEffect() }

  /// A Boolean value that indicates whether the adaptor is called after changes.
  ///
  /// If it is `false`, neither ``connect(_:on:)`` nor ``effect(_:on:)`` is called.
  open var answersChanges: Bool { true }

  /// The effects that follow from the design instead of from a change.
  ///
  /// It is read once, when the store is created.
  open var follows: [Follow<B>] { [] }

  // MARK: - The beginning and the end of a store

  /// Prepares the first design of the store, before any observer sees it.
  ///
  /// It is called once, by the initializer of the store. For a part of a larger design it is called
  /// only if the part always exists.
  open func opening(_ design: inout B.Design) {}

  /// Returns a closure that receives a link to the store.
  ///
  /// It is called once, by the initializer of the store. The closure is called at the end of the
  /// initializer, outside every lock, before effects follow from the design. For a part of a larger
  /// design it is called only if the part always exists.
  open func opened() -> (@Sendable (StoreLink<B>) -> Void)? { nil }

  /// Returns the effects that must finish before the store ends, such as saving.
  ///
  /// ``Lego/close()`` calls it once, and waits for the effect. It is not called if a store is freed
  /// without being closed.
  ///
  /// - Returns: An effect, which starts at once. The default does nothing.
  open func closing(_ design: B.Design) -> Effect<B.Change> { .none }

  /// Returns the work that remains after everything else has ended.
  ///
  /// ``Lego/close()`` calls it once, and waits for the work. If a store is freed without being
  /// closed, it is called as well, and nothing waits for the work. For a part of a larger design it
  /// is called only if the part always exists.
  ///
  /// - Returns: The work, or `nil` if there is none.
  open func ended(_ design: B.Design) -> (@Sendable () async -> Void)? { nil }

  // MARK: - Inside the library

  /// A Boolean value that indicates whether the adaptor needs the design before a change.
  var comparesDesigns: Bool { false }

  /// Returns the effect of a change.
  ///
  /// The design before the change is `nil` if it was not kept.
  @usableFromInline func comparedEffect(
    from before: B.Design?, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    effect(after, on: change)
  }

  /// Returns the publisher and the effect of a change as one effect.
  @inlinable final func answer(
    from before: B.Design?, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    let publisher = connect(after, on: change)
    let effect = comparedEffect(from: before, to: after, on: change)
    if publisher.isKnownEmpty { return effect }
    let first = publisher.readyValue.map(Effect.send) ?? Effect(.publisher(publisher))
    return effect.isNone ? first : .merge(first, effect)
  }
}

/// An adaptor that compares the designs before and after a change.
///
/// A store keeps the design before a change only if an adaptor of this kind, or an observer,
/// compares the two.
open class ComparingAdaptor<B: Blueprint>: Adaptor<B> {
  /// Returns the effect of a change.
  ///
  /// - Returns: An effect, which starts at once. The default is ``Adaptor/effect(_:on:)``.
  open func effect(
    from before: B.Design, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    effect(after, on: change)
  }

  override final var comparesDesigns: Bool { true }

  override final func comparedEffect(
    from before: B.Design?, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    effect(from: before ?? after, to: after, on: change)
  }
}

/// An adaptor that sends a change when its store starts, and one when the store is closed.
///
/// As the adaptor of a part, it sends the first change when the part appears. A part that has gone
/// receives no changes, so the store around it must handle the end of a part.
public final class LifecycleAdaptor<B: Blueprint>: Adaptor<B> {
  private let started: B.Change?
  private let stopped: B.Change?
  private let id = EffectID.unique()

  /// Creates an adaptor.
  ///
  /// - Parameters:
  ///   - started: The change at the start, or `nil` for none.
  ///   - stopped: The change that ``Lego/close()`` builds before the effects end, or `nil` for
  ///     none. A store that is freed without being closed sends none.
  public init(started: B.Change? = nil, stopped: B.Change? = nil) {
    self.started = started
    self.stopped = stopped
  }

  override public var follows: [Follow<B>] {
    guard let started else { return [] }
    return [Follow(once: id) { .send(started) }]
  }

  override public func closing(_ design: B.Design) -> Effect<B.Change> {
    stopped.map(Effect.send) ?? .none
  }
}

/// A store's adaptors.
///
/// Adaptors need not be thread-safe, so only one thread may call them at a time. The lock proves
/// that to the compiler. It is hardly ever contended, because one thread delivers at a time.
@usableFromInline struct AdaptorList<B: Blueprint>: ~Copyable, Sendable {
  @usableFromInline let adaptors: Mutex<[Adaptor<B>]>
  /// A Boolean value that indicates whether an adaptor is called after changes.
  @usableFromInline let answersChanges: Bool

  init(_ adaptors: sending [Adaptor<B>]) {
    answersChanges = adaptors.contains { $0.answersChanges }
    self.adaptors = Mutex(adaptors)
  }

  /// Runs the adaptors after a change, and returns their effects.
  @inlinable borrowing func answers(
    from before: B.Design?, to after: B.Design, on change: B.Change
  ) -> [Effect<B.Change>] {
    adaptors.withLock { adaptors in
      var effects: [Effect<B.Change>] = []
      for adaptor in adaptors where adaptor.answersChanges {
        let effect = adaptor.answer(from: before, to: after, on: change)
        if !effect.isNone { effects.append(effect) }
      }
      return effects
    }
  }

  /// The effects that must finish before the store ends.
  borrowing func closing(_ design: B.Design) -> [Effect<B.Change>] {
    adaptors.withLock { adaptors in adaptors.map { $0.closing(design) } }
  }

  /// The work that remains after everything else has ended.
  borrowing func ended(_ design: B.Design) -> [@Sendable () async -> Void] {
    adaptors.withLock { adaptors in adaptors.compactMap { $0.ended(design) } }
  }
}

/// A link from an adaptor to its store: it reads, sends, and waits for a change.
///
/// It does not keep the store alive. When the store has been freed, the design is `nil`. When the
/// store has been freed or closed, changes that are sent are ignored, and closures are not called.
/// A link may be used on any thread.
public struct StoreLink<B: Blueprint>: Sendable {
  let read: @Sendable () -> B.Design?
  let apply: @Sendable (B.Change) -> Bool
  let wait: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// The design after the last change, or `nil` if the store has been freed.
  public var design: B.Design? { read() }

  /// Applies a change, like an effect that belongs to no build.
  ///
  /// - Returns: `false` if the store was freed or closed, so that the change was not applied.
  @discardableResult
  public func send(_ change: B.Change) -> Bool {
    apply(change)
  }

  /// Calls a closure once, after the next change, on the thread that built it.
  ///
  /// This is the cheapest way to learn that the store is in use. The closure runs outside the
  /// store's lock, possibly before the change is delivered.
  public func onNextChange(_ body: @escaping @Sendable () -> Void) {
    wait(body)
  }
}
