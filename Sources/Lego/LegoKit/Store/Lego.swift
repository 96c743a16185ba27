internal import Observation
public import Synchronization

/// A store: it holds a design and changes it by a blueprint.
///
/// A store may be used from any thread or task. Changes are applied one at a time, in one order
/// that all observers see. When ``build(_:)`` returns, its change is applied.
///
/// The store has one lock for its state, one queue and one loop. `build` applies the change under
/// the lock and, if anything receives changes, adds a `Record` to the queue. If no other thread is
/// delivering, it runs the loop in `deliverQueue()`: take a record, notify its observers, run the adaptors, start their effects. The
/// changes that effects send take the same path.
public final class Lego<B: Blueprint>: Sendable {
  /// The state of the store.
  public typealias Design = B.Design
  /// A change of the state.
  public typealias Change = B.Change

  @usableFromInline let state: Mutex<LegoState<B>>
  @usableFromInline let adaptors: AdaptorList<B>
  @usableFromInline let rules: Rules<B>
  @usableFromInline let tracer: LegoTracer?
  @usableFromInline let hook: ChangeHook<B>?
  /// The overrides in force where the store was created.
  @usableFromInline let injection: InjectionScope?
  @usableFromInline let runawayLimit: Int
  /// A Boolean value that indicates whether an adaptor or a hook needs the design before a change.
  @usableFromInline let comparesDesigns: Bool
  /// A Boolean value that indicates whether changes are delivered even if there is no observer.
  @usableFromInline let deliversAlways: Bool
  /// A Boolean value that indicates whether the design was ever read, and may be tracked.
  @usableFromInline let wasRead = Atomic(false)
  /// The key path of the design, which takes longer to create than a build.
  let designKeyPath: any KeyPath<Lego, B.Design> & Sendable
  let registrar = ObservationRegistrar()

  /// Creates a store.
  ///
  /// The overrides of `withContractors` in force here apply to everything that the store does, on
  /// any thread.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - blueprint: The rules for turning one design into the next.
  ///   - adaptors: The side effects of changes. They belong to this store from now on.
  ///   - enableLogs: If `true`, every change is written to the sink.
  ///   - logSink: The destination of the log. The default is the ``Contractors/logSink`` in force.
  ///   - tracer: A hook that receives the store's events.
  ///   - runawayLimit: The number of consecutive changes after which the store checks whether they
  ///     repeat without end. If they do, it reports them to the tracer and the
  ///     ``Contractors/problemSink``.
  ///   - backlog: The number of changes that may wait in the queue, and what happens beyond it.
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
  /// Reading it inside `Observations` or `withObservationTracking` is tracked.
  @inlinable public var design: B.Design {
    noteAccess()
    return state.withLock { $0.design }
  }

  /// Applies a change, notifies the observers, and runs the adaptors.
  ///
  /// When it returns, the change is applied. If no other thread was building, the observers have
  /// been notified as well, and the changes that follow at once have been applied and delivered.
  /// Otherwise, another thread may deliver the change later: builds never recurse, and no builder
  /// delivers more than a bounded number of changes that other threads have built. Observers,
  /// adaptors and effects see the overrides in force at the call, whichever thread they run on.
  ///
  /// If the queue is longer than the limit of the store's ``Backlog``, the call waits.
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
  ///   - root: The build that caused the change, 0 if no build caused it, or `nil` if the change is
  ///     itself a build.
  ///   - isWanted: Decides under the lock whether to apply the change.
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
  /// It calls nothing except the blueprint, so it may be used under another store's lock.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - number: The number of the last change. If there is a later one, nothing happens.
  /// - Returns: A handle, or `nil` if the change was not applied.
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

  /// The overrides for a change built in the current context: the current overrides, which take
  /// precedence over the store's own.
  @inlinable var overrides: InjectionScope? {
    Injection.isUsed.load(ordering: .acquiring) ? Injection.scope(over: injection) : nil
  }

  // MARK: - Delivery

  /// Performs a builder's role after its change has been added to the queue: delivers, waits or
  /// returns.
  @inlinable func take(_ role: Delivery.Role) {
    switch role {
    case .leave: break
    case .deliver: deliverQueue()
    case .startTask: startDeliveryTask()
    case .wait(let builder): if builder.wait() { deliverQueue() }
    }
  }

  /// Delivers the queue, until it is empty or the thread has delivered its share of other threads'
  /// changes.
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

  /// Notifies the observers of a change, then runs the adaptors, then starts their effects.
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

  /// Starts a task that delivers the queue while no builder does.
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

/// Applies a change to a design.
///
/// Returns `false`, and does not change the design, if the change is meant for a part that does not
/// exist.
@usableFromInline package typealias Rules<B: Blueprint> =
  @Sendable (inout B.Design, B.Change) -> Bool
