public import Synchronization

/// What a store keeps of its effects, and of the tasks that wait for builds.
///
/// It knows nothing of designs and changes, so that it is compiled once and fast for every store.
///
/// An effect's change is applied under the store's lock, and the ledger has one of its own, which
/// may be taken under the store's, never the other way round. Who ends effects therefore clears
/// `isLive` under the ledger's lock and then passes through the store's once: a change on its way
/// is applied before that, and none after it.
@usableFromInline final class EffectLedger: Sendable {
  struct State: Sendable {
    var registry = EffectRegistry()
    var waiters = NumberTable<Waiters>()

    /// Changes what is known of those who wait for a build.
    ///
    /// It is taken out meanwhile, because changing it in its place would allocate.
    mutating func updateWaiters(of root: UInt64, _ change: (inout Waiters) -> Void) {
      var entry = waiters.remove(root) ?? Waiters()
      change(&entry)
      waiters.insert(entry, for: root)
    }
  }

  let tracer: LegoTracer?
  let state = Mutex(State())
  /// The build that caused the change being told; zero when none is told.
  @usableFromInline let notifying = Atomic<UInt64>(0)
  /// The number of the change that left the store's queue last.
  let dequeued = Atomic<UInt64>(0)
  /// Whether anyone waits for a build to be over.
  @usableFromInline let hasWaiters = Atomic(false)
  /// Whether any build was cancelled of which something may still come.
  @usableFromInline let hasCancelled = Atomic(false)

  init(tracer: LegoTracer?) {
    self.tracer = tracer
  }

  /// How many effects run.
  var count: Int { state.withLock { $0.registry.count } }

  /// Whether nothing is under way, and nobody waits.
  var isEmpty: Bool { state.withLock { $0.registry.isEmpty && $0.waiters.isEmpty } }

  /// Looks at the effects, or changes them.
  func withRegistry<Result: Sendable>(_ body: (inout EffectRegistry) -> Result) -> Result {
    state.withLock { body(&$0.registry) }
  }

  /// Registers an effect before it starts, so that it can be cancelled from then on.
  ///
  /// - Returns: The effect, or `nil` when it was cancelled already.
  @usableFromInline func add(_ context: EffectContext, name: String?) -> EffectRun? {
    let run = state.withLock { $0.registry.add(context, of: self) }
    guard run.isLive else {
      advance(context.next)
      return nil
    }
    tracer?.effectStarted(run.number, root: context.root, name: name)
    return run
  }

  /// Starts effects with an id, has them wait, or drops them, as the policy says.
  @usableFromInline func admit(
    _ effects: EffectStart, _ id: EffectID, _ policy: EffectPolicy, in context: EffectContext,
    passing barrier: () -> Void
  ) {
    let pending = EffectRegistry.Pending(effects: effects, context: context)
    switch state.withLock({ $0.registry.admit(id, policy, pending) }) {
    case .start(let scope, let ended):
      if !ended.isEmpty {
        barrier()
        settle(ended)
      }
      enter(scope, pending)
    case .wait(let earlier):
      settle(earlier)
    case .drop:
      advance(context.next)
    }
  }

  func enter(_ scope: EffectScope, _ pending: EffectRegistry.Pending) {
    let leave = EffectNext(.leave(scope), in: pending.context)
    _ = pending.effects.start(in: pending.context.within(scope, next: leave))
  }

  /// Forgets an effect that has ended by itself.
  func end(_ run: EffectRun) {
    let root = run.context.root
    if run.context.next == nil, tracer == nil {
      // Nothing comes between its end and the next of its build, which needs no hold then.
      state.withLock { state in
        state.registry.finish(run, isHeld: false) ? takeSettled(root, in: &state) : nil
      }?.resume()
      return
    }
    guard state.withLock({ $0.registry.finish(run, isHeld: true) }) else { return }
    tracer?.effectEnded(run.number, isCancelled: false)
    advance(run.context.next)
    release(root)
  }

  /// Goes on after an effect that has ended.
  @usableFromInline func advance(_ next: EffectNext?, isContinuing: Bool = true) {
    var current = next
    while let next = current, next.countDown() {
      let context = next.context
      switch next.step {
      case .rest(let rest):
        if next.isLeftToStarter(isContinuing: isContinuing) { return }
        if isContinuing, context.isLive, rest.start(in: context) { return }
      case .leave(let scope):
        if let (pending, scope) = state.withLock({ $0.registry.leave(scope) }) {
          enter(scope, pending)
          release(pending.context.root)
        }
      case .join:
        break
      }
      current = context.next
    }
  }

  // MARK: - Cancelling

  /// Marks the effects of an id as ended.
  func cancel(_ id: EffectID) -> EffectRegistry.Ended {
    state.withLock { $0.registry.cancel(id) }
  }

  /// Marks the effects of the parts that a name stands for as ended.
  func cancel(_ name: PartName, within way: PartWay?) -> EffectRegistry.Ended {
    state.withLock { $0.registry.cancel(name, within: way) }
  }

  /// Marks all effects of a build as ended; under the store's lock.
  func cancel(root: UInt64) -> EffectRegistry.Ended {
    let isNotifying = root > 0 && notifying.load(ordering: .acquiring) == root
    return state.withLock { state in
      let ended = state.registry.cancel(root: root, isNotifying: isNotifying)
      hasCancelled.store(state.registry.hasCancelled, ordering: .releasing)
      return ended
    }
  }

  /// Marks all effects as ended.
  func cancelAll() -> EffectRegistry.Ended {
    state.withLock { $0.registry.endAll() }
  }

  /// Marks all effects as ended, and lets no other start.
  func close() -> EffectRegistry.Ended {
    state.withLock { $0.registry.close() }
  }

  /// Cancels what was marked as ended, and goes on with what follows it.
  ///
  /// - Parameters:
  ///   - ended: What was marked.
  ///   - isContinuing: Whether what follows may start.
  func settle(_ ended: EffectRegistry.Ended, isContinuing: Bool = true) {
    for run in ended.runs {
      run.cancel()
      tracer?.effectEnded(run.number, isCancelled: true)
      advance(run.context.next, isContinuing: isContinuing)
    }
    for pending in ended.pending { advance(pending.context.next, isContinuing: isContinuing) }
    for root in ended.roots { release(root) }
  }

  /// Whether a build was cancelled, as far as anything of it can still come.
  @inlinable func isCancelled(_ root: UInt64) -> Bool {
    hasCancelled.load(ordering: .acquiring) && isAmongCancelled(root)
  }

  @usableFromInline func isAmongCancelled(_ root: UInt64) -> Bool {
    let notifying = notifying.load(ordering: .acquiring)
    return state.withLock { state in
      state.registry.forgetCancelledNotification(except: notifying)
      hasCancelled.store(state.registry.hasCancelled, ordering: .releasing)
      return state.registry.isCancelled(root)
    }
  }

  // MARK: - Telling

  /// Notes that a change of a build is told from now on; under the store's lock.
  @inlinable func beginTelling(_ root: UInt64) {
    notifying.store(root, ordering: .relaxed)
  }

  /// Notes that a change of a build has been told, by whoever told it and before the turn ends.
  @inlinable func endTelling() {
    notifying.store(0, ordering: .releasing)
  }
}
