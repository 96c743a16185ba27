public import Synchronization

/// An object that responds to changes with side effects and further changes.
///
/// An adaptor belongs to one store. The store calls it after each change, one call at a time and
/// outside the store's lock. The adaptor may build on the store. Such a change is applied at once,
/// and delivered after the current one.
open class Adaptor<B: Blueprint> {
  // The initializer is inlinable, so these defaults are specialized for the blueprint.
  // Unspecialized generic code would be much slower.
  @usableFromInline let noPublisher: () -> AnyPublisher<B.Change, Never>
  @usableFromInline let noEffect: () -> Effect<B.Change>

  /// Creates an adaptor.
  @inlinable public init() {
    noPublisher = { .empty }
    noEffect = { .none }
  }

  // MARK: - Changes

  /// Returns a publisher of the changes to send in response to a change.
  ///
  /// - Parameters:
  ///   - design: The design after the change.
  ///   - change: The change.
  /// - Returns: A publisher, to which the store subscribes at once. If the publisher has not
  ///   completed when the store is closed or freed, when the adaptor's part is removed, or when the
  ///   build is cancelled, the subscription is cancelled. The default implementation returns an
  ///   empty publisher.
  open func connect(_ design: B.Design, on change: B.Change) -> AnyPublisher<B.Change, Never> {
    noPublisher()
  }

  /// Returns the effect to run in response to a change.
  ///
  /// The store calls this method after ``connect(_:on:)``, and uses both results. Most adaptors
  /// override only one of the two methods.
  ///
  /// - Parameters:
  ///   - design: The design after the change.
  ///   - change: The change.
  /// - Returns: An effect, which the store starts at once. The default implementation returns
  ///   `.none`.
  open func effect(_ design: B.Design, on change: B.Change) -> Effect<B.Change> { noEffect() }

  /// A Boolean value that indicates whether the store calls the adaptor after changes.
  ///
  /// If it is `false`, the store calls neither ``connect(_:on:)`` nor ``effect(_:on:)``.
  open var answersChanges: Bool { true }

  /// The effects that depend on the design rather than on a change.
  ///
  /// The store reads this property once, when it is created.
  open var follows: [Follow<B>] { [] }

  // MARK: - The beginning and the end of a store

  /// Prepares the initial design of the store, before any observer sees it.
  ///
  /// The initializer of the store calls this method once. If the adaptor belongs to a part of a
  /// larger design, the method is called only if the part always exists and its key path is
  /// writable. It is not called for an adaptor in a deferred feature.
  open func opening(_ design: inout B.Design) {}

  /// Returns a closure that receives a link to the store.
  ///
  /// The initializer of the store calls this method once. It calls the closure later, outside the
  /// store's lock and before the effects in ``follows`` start. If the adaptor belongs to a part of
  /// a larger design, the method is called only if the part always exists and its key path is
  /// writable. It is not called for an adaptor in a deferred feature.
  ///
  /// - Returns: The closure, or `nil` if the adaptor needs no link. The default implementation
  ///   returns `nil`.
  open func opened() -> (@Sendable (StoreLink<B>) -> Void)? { nil }

  /// Returns an effect that must end before the store is closed, such as one that saves a file.
  ///
  /// ``Lego/close()`` calls this method once, or once for each part that the adaptor serves, and
  /// waits for the effect. The method is not called if the store is freed without being closed.
  ///
  /// - Parameter design: The current design.
  /// - Returns: An effect, which the store starts at once. The default implementation returns
  ///   `.none`.
  open func closing(_ design: B.Design) -> Effect<B.Change> { .none }

  /// Returns the work to do after all effects have ended and all changes have been delivered.
  ///
  /// ``Lego/close()`` calls this method once, and waits for the work. If the store is freed without
  /// being closed, the method is called as well, but nothing waits for the work. If the adaptor
  /// belongs to a part of a larger design, the method is called only if the part always exists and
  /// its key path is writable. It is not called for an adaptor in a deferred feature.
  ///
  /// - Parameter design: The last design.
  /// - Returns: The work, or `nil` if there is none. The default implementation returns `nil`.
  open func ended(_ design: B.Design) -> (@Sendable () async -> Void)? { nil }

  // MARK: - Inside the library

  /// A Boolean value that indicates whether the adaptor needs the design before each change.
  var comparesDesigns: Bool { false }

  /// Returns the effect to run in response to a change.
  ///
  /// The design before the change is `nil` if it was not kept.
  @usableFromInline func comparedEffect(
    from before: B.Design?, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    effect(after, on: change)
  }

  /// Returns one effect that combines the publisher and the effect for a change.
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
/// A store with such an adaptor keeps the design before each change until the change has been
/// delivered. So does a store with an observer, an optional part with adaptors, or a deferred
/// feature.
open class ComparingAdaptor<B: Blueprint>: Adaptor<B> {
  /// Returns the effect to run in response to a change.
  ///
  /// - Parameters:
  ///   - before: The design before the change, or the design after the change if the adaptor
  ///     belongs to a part that did not exist before.
  ///   - after: The design after the change.
  ///   - change: The change.
  /// - Returns: An effect, which the store starts at once. The default implementation calls
  ///   ``Adaptor/effect(_:on:)``.
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

/// An adaptor that sends a change when its store is created, and another when the store is closed.
///
/// If the adaptor belongs to a part, it sends the first change when the part appears. It sends
/// nothing when the part is removed, because a part that no longer exists receives no changes. The
/// enclosing blueprint must handle the removal.
public final class LifecycleAdaptor<B: Blueprint>: Adaptor<B> {
  private let started: B.Change?
  private let stopped: B.Change?
  private let id = EffectID.unique()

  /// Creates an adaptor.
  ///
  /// - Parameters:
  ///   - started: The change to send when the store is created, or `nil` to send none.
  ///   - stopped: The change to send when ``Lego/close()`` is called, before effects are cancelled,
  ///     or `nil` to send none. It is not sent if the store is freed without being closed.
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

/// The adaptors of a store.
///
/// Adaptors need not be thread-safe. The lock lets the compiler verify that only one thread calls
/// them at a time. It is hardly ever contended, because only one thread delivers at a time.
@usableFromInline struct AdaptorList<B: Blueprint>: ~Copyable, Sendable {
  @usableFromInline let adaptors: Mutex<[Adaptor<B>]>
  /// A Boolean value that indicates whether any adaptor must be called after changes.
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

  /// Returns the effects that must end before the store is closed.
  borrowing func closing(_ design: B.Design) -> [Effect<B.Change>] {
    adaptors.withLock { adaptors in adaptors.map { $0.closing(design) } }
  }

  /// Returns the work to do after all effects have ended and all changes have been delivered.
  borrowing func ended(_ design: B.Design) -> [@Sendable () async -> Void] {
    adaptors.withLock { adaptors in adaptors.compactMap { $0.ended(design) } }
  }
}

/// A weak reference from an adaptor to its store.
///
/// An adaptor uses it to read the design, to send changes, and to wait for the next change, on any
/// thread. It does not keep the store alive. After the store has been closed or freed, changes are
/// ignored, and closures that wait for a change are not called.
public struct StoreLink<B: Blueprint>: Sendable {
  let read: @Sendable () -> B.Design?
  let apply: @Sendable (B.Change) -> Bool
  let wait: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// The design after the last change, or `nil` if the store has been freed.
  public var design: B.Design? { read() }

  /// Applies a change that belongs to no build, so that ``Build/finished()`` does not wait for it.
  ///
  /// - Returns: `false` if the change was ignored, for example because the store was closed or
  ///   freed.
  @discardableResult
  public func send(_ change: B.Change) -> Bool {
    apply(change)
  }

  /// Calls a closure once, on the thread that applies the next change to the store.
  ///
  /// The closure is called outside the store's lock, after the change has been applied and possibly
  /// before it is delivered. It adds less overhead to a build than an observer does.
  public func onNextChange(_ body: @escaping @Sendable () -> Void) {
    wait(body)
  }
}
