internal import Observation
public import Synchronization

/// A store that holds a design, and applies changes to it with a blueprint.
///
/// A store can be used from any thread or task. It applies changes one at a time, and delivers them
/// to observers and adaptors in the same order. When ``build(_:)`` returns, its change has been
/// applied.
///
/// Closures that track the design with `Observation` are an exception: the thread that applies a
/// change notifies them itself, as soon as the change has been applied.
public final class Lego<B: Blueprint>: Sendable {
  // The store has one lock, one queue and one loop. `apply` changes the design under the lock and,
  // if anything receives changes, adds a `Record` to the queue. If no thread is delivering, the
  // builder then runs the loop in `deliverQueue()`: it takes a record from the queue, notifies the
  // record's observers, runs the adaptors, and starts the effects that they return. The changes
  // that effects send go through `apply` as well.

  /// The state of the store.
  public typealias Design = B.Design
  /// A change to the state.
  public typealias Change = B.Change

  @usableFromInline let state: Mutex<LegoState<B>>
  @usableFromInline let adaptors: AdaptorList<B>
  @usableFromInline let rules: Rules<B>
  @usableFromInline let tracer: LegoTracer?
  @usableFromInline let hook: ChangeHook<B>?
  /// The overrides that were active when the store was created.
  @usableFromInline let injection: InjectionScope?
  @usableFromInline let runawayLimit: Int
  /// A Boolean value that indicates whether an adaptor or a hook needs the design before a change.
  @usableFromInline let comparesDesigns: Bool
  /// A Boolean value that indicates whether changes are delivered even if there is no observer.
  @usableFromInline let deliversAlways: Bool
  /// A Boolean value that indicates whether the design has ever been read, in which case a closure
  /// may be tracking it.
  @usableFromInline let wasRead = Atomic(false)
  /// The key path of ``design``, stored because creating a key path takes longer than a build.
  let designKeyPath: any KeyPath<Lego, B.Design> & Sendable
  let registrar = ObservationRegistrar()

  /// Creates a store.
  ///
  /// The store keeps the overrides of `withContractors` and `withBricks` that are active during
  /// this call, and uses them in everything that it does, on any thread. Overrides that are active
  /// when a change is built take precedence over them.
  ///
  /// - Parameters:
  ///   - design: The initial design.
  ///   - blueprint: The blueprint that applies changes to the design.
  ///   - adaptors: The adaptors that perform the side effects of changes. The store takes ownership
  ///     of them.
  ///   - enableLogs: If `true`, the store writes each change to the log.
  ///   - logSink: The destination of the log. The default is the current ``Contractors/logSink``.
  ///   - tracer: A hook that receives the store's events.
  ///   - runawayLimit: The number of changes that one thread delivers without a pause before the
  ///     store suspects that changes cause one another without end. It then reports the repeating
  ///     changes to the tracer and the ``Contractors/problemSink``.
  ///   - backlog: The limit on the number of queued changes, and the time that builders wait when
  ///     it is exceeded.
  @inlinable public convenience init(
    _ design: B.Design, blueprint: B, adaptors: sending [Adaptor<B>] = [],
    enableLogs: Bool = false, logSink: LogSink? = nil, tracer: LegoTracer? = nil,
    runawayLimit: Int = 2_000_000, backlog: Backlog = Backlog()
  ) {
    self.init(
      prepared: Self.opening(design, by: adaptors),
      rules: { design, change in
        blueprint.change(&design, on: change)
        return true
      },
      adaptors, log: enableLogs ? logSink ?? Contractors().logSink : nil, tracer: tracer,
      runawayLimit: runawayLimit, backlog: backlog)
  }

  @usableFromInline package init(
    prepared design: B.Design, rules: @escaping Rules<B>, _ adaptors: sending [Adaptor<B>],
    log: LogSink?, tracer: LegoTracer?, runawayLimit: Int = 2_000_000,
    backlog: Backlog = Backlog(), hook: ChangeHook<B>? = nil, clock: (any Clock<Duration>)? = nil
  ) {
    let follows = adaptors.flatMap(\.follows)
    let openings = adaptors.compactMap { $0.opened() }
    comparesDesigns = hook != nil || adaptors.contains(where: \.comparesDesigns)
    self.adaptors = AdaptorList(adaptors)
    deliversAlways = self.adaptors.answersChanges || tracer != nil
    state = Mutex(LegoState(design: design, backlog: backlog))
    self.rules = rules
    self.tracer = tracer
    self.hook = hook
    self.runawayLimit = runawayLimit
    designKeyPath = \Lego.design
    injection = clock.map(Injection.scope(with:)) ?? Injection.scope
    if let log { add(ChangeLogger<B>.observer(writingTo: log)) }
    if let hook { add(wakingObserver(of: hook)) }
    let link = link
    Injection.within(injection) { for opening in openings { opening(link) } }
    for follow in follows {
      let following = start(follow)
      state.withLock { $0.followings.append(following) }
    }
  }

  deinit {
    let (last, ended, observers) = state.withLock { state in
      (state.phase == .closed ? nil : state.design, state.effects.close(), state.observers)
    }
    if let last {
      for work in adaptors.ended(last) { Task.detached { await work() } }
    }
    for run in ended.runs { run.cancel() }
    for observer in observers { observer.end?() }
  }

  // MARK: - Changes

  /// The design after the last change.
  ///
  /// Reads inside `Observations` or `withObservationTracking` are tracked.
  @inlinable public var design: B.Design {
    noteAccess()
    return state.withLock { $0.design }
  }

  /// Applies a change, and delivers it to the observers and adaptors.
  ///
  /// When the call returns, the change has been applied. Usually it has also been delivered: the
  /// observers have been notified, the adaptors have run, and their effects have been started.
  /// Changes that were built on this thread during the delivery have been delivered as well.
  ///
  /// In the following cases, the change may be delivered after the call has returned:
  ///
  /// - The caller is an observer or adaptor of this store. Its change is delivered after the
  ///   current one, so builds never recurse.
  /// - Another thread is delivering. That thread, or one that takes over from it, delivers the
  ///   change.
  /// - Many changes from other threads are already in the queue. The call delivers a bounded number
  ///   of them, and leaves the rest of the queue, including its own change, to another builder or
  ///   to a task of the store.
  ///
  /// Observers, adaptors and effects see the overrides that are active during the call, whichever
  /// thread they run on.
  ///
  /// If another thread is delivering and the queue is longer than the limit of the store's
  /// ``Backlog``, the call may wait for room.
  ///
  /// If the store is closing or closed, or if the change is meant for a part that does not exist,
  /// the change is reported to the ``Contractors/problemSink`` and ignored.
  ///
  /// - Returns: A handle that waits for, or cancels, the effects of the change.
  @discardableResult
  @inlinable public func build(_ change: B.Change) -> Build {
    Build(number: apply(change), owner: self)
  }

  /// Applies a change, and delivers the queue if no other thread is delivering.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - root: The root of the effect that sends the change (see ``EffectContext/root``), or `nil`
  ///     if the change is itself a build.
  ///   - isWanted: Returns `false` if the change must not be applied. The closure is called under
  ///     the lock.
  /// - Returns: The change's number, or 0 if it was not applied.
  @inlinable func apply(
    _ change: B.Change, root: UInt64? = nil,
    if isWanted: (inout LegoState<B>) -> Bool = { _ in true }
  ) -> UInt64 {
    let overrides = overrides
    return Injection.within(overrides) {
      let applied = state.withLock { state in
        isWanted(&state)
          ? state.apply(change, root: root, overrides: overrides, mayCallObservers: true, in: self)
          : LegoState<B>.Applied()
      }
      if let cleanup = applied.cleanup { finish(cleanup, of: change) }
      guard applied.number > 0 else { return 0 }
      if wasRead.load(ordering: .acquiring) { notifyTrackers() }
      take(applied.role)
      return applied.number
    }
  }

  /// Applies a change, and leaves its delivery to another thread or a task.
  ///
  /// This method may be called under another store's lock: it does only the work that requires this
  /// store's lock, and starts tasks for the rest. It never waits for room in the queue.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - number: The expected number of the last change. If another change has been applied since,
  ///     this one is not applied.
  /// - Returns: A handle to the change, or `nil` if the change was not applied.
  func applyWithoutDelivering(_ change: B.Change, ifNumberIs number: UInt64) -> Build? {
    let overrides = overrides
    return Injection.within(overrides) {
      let applied = state.withLock { state in
        state.number == number
          ? state.apply(change, root: nil, overrides: overrides, mayCallObservers: false, in: self)
          : LegoState<B>.Applied()
      }
      guard applied.number > 0 else { return nil }
      let isTracked = wasRead.load(ordering: .acquiring)
      if isTracked || applied.cleanup != nil {
        Task.detached {
          if let cleanup = applied.cleanup { self.finish(cleanup, of: change) }
          if isTracked { self.notifyTrackers() }
        }
      }
      if case .startTask = applied.role { startDeliveryTask() }
      return Build(number: applied.number, owner: self)
    }
  }

  /// The overrides for a change that is built in the current context: the store's overrides merged
  /// with the active ones, which take precedence.
  @inlinable var overrides: InjectionScope? {
    Injection.isUsed.load(ordering: .acquiring) ? Injection.scope(over: injection) : nil
  }

  // MARK: - Delivery

  /// Performs a builder's role once its change has been added to the queue: delivers the queue,
  /// waits for room, starts the store's task, or does nothing.
  @inlinable func take(_ role: Delivery.Role) {
    switch role {
    case .leave: break
    case .deliver: deliverQueue()
    case .startTask: startDeliveryTask()
    case .wait(let builder): if builder.wait() { deliverQueue() }
    }
  }

  /// Delivers the queue until it is empty or the session hands over to another thread.
  @inlinable func deliverQueue() {
    var runaway = RunawayGuard<B.Change>(limit: runawayLimit)
    var hasDelivered = false
    while true {
      let step = state.withLock { $0.nextDelivery(hasDelivered: hasDelivered) }
      for builder in step.builders { builder.wake() }
      for task in step.finished { task.resume() }
      guard let record = step.record else {
        if let successor = step.successor { handOver(to: successor) }
        return
      }
      Injection.within(record.overrides) { deliver(record) }
      hasDelivered = true
      if let change = record.change, runaway.isSuspicious() {
        report(runaway.collect(change, root: record.root))
      }
    }
  }

  /// Notifies the observers of a change, then runs the adaptors and starts their effects.
  @inlinable func deliver(_ record: Record<B>) {
    if let tracer, let change = record.change {
      tracer.applied(record.number, root: record.root, change)
    }
    record.notifyObservers()
    if adaptors.answersChanges { startAnswers(to: record) }
    if let tracer, record.change != nil { tracer.delivered(record.number) }
  }

  /// Runs the adaptors, and starts the effects that they return.
  @inlinable func startAnswers(to record: Record<B>) {
    guard let change = record.change, !state.withLock({ $0.builds.isCancelled(record.root) }) else {
      return
    }
    let effects = adaptors.answers(from: record.before, to: record.after, on: change)
    if effects.isEmpty { return }
    let context = EffectContext(root: record.root, number: record.number, overrides: overrides)
    for effect in effects { start(effect, in: context) }
  }

  @usableFromInline func handOver(to successor: Delivery.Successor) {
    switch successor {
    case .builder(let builder): builder.wake()
    case .newTask: startDeliveryTask()
    case .anyone: break
    }
  }

  /// Starts the store's task, which delivers the queue until it is empty or another thread
  /// delivers.
  @usableFromInline func startDeliveryTask() {
    Task.detached(name: "\(B.self)") { [self] in
      while state.withLock({ state in
        state.delivery.continueTask(on: .current, isQueueEmpty: state.queue.isEmpty)
      }) {
        deliverQueue()
        await Task.yield()
      }
    }
  }
}

/// A function that applies a change to a design.
///
/// If the change is meant for a part that does not exist, the function returns `false` and leaves
/// the design unchanged.
@usableFromInline package typealias Rules<B: Blueprint> =
  @Sendable (inout B.Design, B.Change) -> Bool
