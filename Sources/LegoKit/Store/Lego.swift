public import Observation
public import Synchronization

/// A store: it holds a design and changes it by a blueprint.
///
/// A store may be used from any thread or task. Changes are applied one at a time, in one order
/// that everyone sees; when ``build(_:)`` returns, its change is applied.
public final class Lego<B: Blueprint>: Sendable {
  /// What the store holds.
  public typealias Design = B.Design
  /// What can happen to it.
  public typealias Change = B.Change

  @usableFromInline let state: Mutex<LegoState<B>>
  @usableFromInline let blueprint: B
  @usableFromInline let adaptors: AdaptorShelf<B>
  @usableFromInline let tracer: LegoTracer?
  @usableFromInline let runawayLimit: Int
  /// The overrides in force where the store was made.
  @usableFromInline let injection: InjectionScope?
  @usableFromInline let registrar = ObservationRegistrar()
  @usableFromInline let tracker = DesignTracker()
  /// The key path by which `Observation` knows the design.
  let trackedKeyPath: any KeyPath<Lego, B.Design> & Sendable
  /// Whose turn it is to tell changes.
  @usableFromInline let turn = Turn()
  /// Whether anyone waits for a build to be over.
  @usableFromInline let hasWaiters = Atomic(false)
  /// Whether no adaptor and no tracer has to be asked.
  @usableFromInline let isPlain: Bool
  /// Where parts of the design stand that effects may belong to, and that may go.
  let places: [PartPlace<B.Design>]

  /// Creates a store.
  ///
  /// The overrides of `withContractors` in force here hold for all that
  /// the store does, on any thread.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - blueprint: What changes do to it.
  ///   - adaptors: What happens beside the changes; they belong to this store from now on.
  ///   - enableLogs: Whether every change is written to the sink.
  ///   - logSink: Where the log goes; the ``Contractors/logSink`` in force when left out.
  ///   - tracer: A hook that is told what the store does.
  ///   - runawayLimit: How many changes may follow from one another without a pause before it is
  ///     looked whether they go round; the tracer and the ``Contractors/problemSink`` are told.
  public convenience init(
    _ design: B.Design, blueprint: B, adaptors: sending [Adaptor<B>] = [],
    enableLogs: Bool = false, logSink: LogSink? = nil, tracer: LegoTracer? = nil,
    runawayLimit: Int = 2_000_000
  ) {
    self.init(
      design, blueprint, adaptors, log: enableLogs ? logSink ?? Contractors().logSink : nil,
      tracer, runawayLimit)
  }

  package init(
    _ design: B.Design, _ blueprint: B, _ adaptors: sending [Adaptor<B>], log: LogSink?,
    _ tracer: LegoTracer?, _ runawayLimit: Int,
    hook: ChangeHook<B.Design, B.Change>? = nil, clock: (any Clock<Duration>)? = nil,
    rules: Rules<B>? = nil
  ) {
    let follows = adaptors.flatMap(\.follows)
    let places = adaptors.flatMap(\.places)
    self.places = places
    isPlain = adaptors.isEmpty && tracer == nil
    state = Mutex(
      LegoState(
        design: design, notifiesAlways: !adaptors.isEmpty || tracer != nil,
        keepsBefore: adaptors.contains(where: \.comparesDesigns), rules: rules,
        hasParts: !places.isEmpty, hook: hook))
    self.blueprint = blueprint
    self.adaptors = AdaptorShelf(adaptors)
    self.tracer = tracer
    self.runawayLimit = runawayLimit
    let witness = tracker.witness
    trackedKeyPath = \Lego[witness]
    injection = clock.map(Injection.scope(with:)) ?? Injection.scope
    if let log {
      let logger = ChangeLogger<B>(to: log)
      state.withLock { $0.add(Observer(change: logger.log)) }
    }
    if let hook { wake(hook) }
    for follow in follows {
      let observer = start(follow)
      state.withLock { $0.followers.append(observer) }
    }
  }

  deinit {
    let (ended, observers) = state.withLock { ($0.effects.endAll(), $0.observers) }
    for run in ended.runs { run.cancel() }
    for observer in observers?.all ?? [] { observer.end?() }
  }

  /// The design as the last change left it.
  @inlinable public var design: B.Design {
    noteAccess()
    return state.withLock { $0.design }
  }

  /// Applies a change, tells those who observe, and has the adaptors answer.
  ///
  /// When it returns, the change is applied. When nobody else was building, the observers have
  /// been told too; else the thread that is telling them goes on with this change. A build inside
  /// an observer or an adaptor is such a case, so that builds never recurse.
  ///
  /// - Returns: A handle to wait for, or to cancel, what the change causes.
  @discardableResult
  @inlinable public func build(_ change: B.Change) -> Build {
    Build(number: buildNumbered(change), owner: self)
  }

  @inlinable func buildNumbered(_ change: B.Change) -> UInt64 {
    injection == nil ? buildNow(change) : buildWithInjection(change)
  }

  @inlinable func buildNow(_ change: B.Change) -> UInt64 {
    var number: UInt64 = 0
    var before: B.Design?
    var after: B.Design?
    let observers = state.withLock { state -> LegoState<B>.ObserverList? in
      if state.needsCare { return nil }
      let observers = state.apply(change, root: nil, with: blueprint, turn, &before, &after)
      number = state.number
      return observers
    }
    if number == 0 { return build(change, root: nil) { _ in true } }
    if tracker.isWaitedFor.load(ordering: .acquiring) { notifyTrackers() }
    if let observers, let after {
      notify(observers, ChangeNotification(change, number: number, root: number), before, after)
      let last = turn.end() ? number : notifyRest(after: number)
      if hasWaiters.load(ordering: .sequentiallyConsistent) { resumeWaiters(of: last) }
    }
    return number
  }

  /// Tells everyone of a change, and has the adaptors answer it.
  @inlinable func notify(
    _ observers: LegoState<B>.ObserverList, _ notification: ChangeNotification<B.Change>,
    _ before: B.Design?,
    _ after: B.Design
  ) {
    if isPlain { return observers.notify(notification, before, after) }
    if let tracer { tracer.applied(notification) }
    observers.notify(notification, before, after)
    if adaptors.count > 0, notification.isAnswered {
      answer(notification, before, after)
    }
    if let tracer { tracer.told(notification.number) }
  }

  /// Tells what is in the queue, until none is left.
  ///
  /// - Parameter root: The build that caused the change told last.
  /// - Returns: The build that caused the change told last then.
  @inlinable func notifyRest(after root: UInt64) -> UInt64 {
    var runaway = RunawayGuard<B.Change>(limit: runawayLimit)
    var last = root
    repeat {
      while let record = state.withLock({ $0.next(turn) }) {
        if hasWaiters.load(ordering: .sequentiallyConsistent), last != record.notification.root {
          resumeWaiters(of: last)
        }
        last = record.notification.root
        notify(record.observers, record.notification, record.before, record.after)
        if runaway.isSuspicious() { report(runaway.collect(record.notification)) }
      }
    } while !turn.end()
    return last
  }

  @inlinable func answer(
    _ notification: ChangeNotification<B.Change>, _ before: B.Design?, _ design: B.Design
  ) {
    for index in 0..<adaptors.count {
      let (publisher, effect) = adaptors.answer(index, before, design, notification.change)
      if let change = publisher.readyValue {
        buildReady(change, root: notification.root)
      } else if !publisher.isKnownEmpty {
        start(.publisher(publisher), for: notification)
      }
      if !effect.isNone { start(effect, for: notification) }
    }
  }

  /// Applies the only change of an adaptor that had its answer ready.
  ///
  /// It is called while a change is told, so that this one is told later.
  @inlinable func buildReady(_ change: B.Change, root: UInt64) {
    var before: B.Design?
    var after: B.Design?
    let needsCare = state.withLock { state in
      if state.needsCare { return true }
      if state.isCancelled(root) { return false }
      _ = state.apply(change, root: root, with: blueprint, turn, &before, &after)
      return false
    }
    if needsCare { _ = build(change, root: root) { _ in true } }
    if tracker.isWaitedFor.load(ordering: .acquiring) { notifyTrackers() }
  }
}
