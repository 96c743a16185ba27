internal import Synchronization

/// A change that is being told, as the thread that tells it knows it.
///
/// A build that happens inside is found by it, and never waits for the thread that it is on. It is
/// bound to the thread only where that matters, because it costs more than a build: see
/// ``Tellers``.
@usableFromInline final class CallOut: Sendable {
  /// What a thread is in that is in none; an optional would be copied by a longer way.
  private static let none = CallOut(of: nil, in: nil, isOver: true, isTimed: false)
  private static let current = TaskLocal(wrappedValue: none)

  private let over: Atomic<Bool>
  /// The store whose change is told.
  private let store: ObjectIdentifier?
  /// The one that it happens in, of another store.
  private let outer: CallOut?

  /// Whether it is measured how long it takes.
  private let isTimed: Bool
  private let duration = Mutex(Duration.zero)

  /// Creates a call-out on the thread that tells a change.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - number: The change's number.
  @usableFromInline convenience init(of store: AnyObject, at number: UInt64) {
    // A task that was started in a call-out keeps it for as long as it runs.
    self.init(
      of: ObjectIdentifier(store), in: Self.live, isOver: false,
      isTimed: Tellers.isTimed(at: number))
  }

  private init(of store: ObjectIdentifier?, in outer: CallOut?, isOver: Bool, isTimed: Bool) {
    self.store = store
    self.outer = outer
    self.isTimed = isTimed
    over = Atomic(isOver)
  }

  /// Whether what was told has been told.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// The innermost call-out of this thread that is not over.
  @usableFromInline static var live: CallOut? {
    var callOut: CallOut? = current.get()
    while let inner = callOut, inner.isOver { callOut = inner.outer }
    return callOut
  }

  /// Whether what ran in it took as long as with a slow observer, as far as it was measured.
  @usableFromInline var wasSlow: Bool {
    isTimed && duration.withLock { $0 } >= Tellers.slowness
  }

  /// Runs a part of what is told.
  @usableFromInline func run<Result>(_ body: () -> Result) -> Result {
    guard isTimed else { return Self.current.withValue(self, operation: body) }
    let start = ContinuousClock.now
    defer { duration.withLock { $0 += ContinuousClock.now - start } }
    return Self.current.withValue(self, operation: body)
  }

  /// Notes that everything was told.
  @usableFromInline func end() { over.store(true, ordering: .releasing) }

  /// Whether it is of a store, or happens in one of that store that is not over.
  @usableFromInline func isInside(_ store: AnyObject) -> Bool {
    let store = ObjectIdentifier(store)
    var callOut: CallOut? = self
    while let inner = callOut {
      // A store tells one change at a time: what is not over is the change being told.
      if inner.store == store, !inner.isOver { return true }
      callOut = inner.outer
    }
    return false
  }
}
