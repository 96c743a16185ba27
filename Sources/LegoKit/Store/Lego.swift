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

  /// What is under way beside the changes.
  @usableFromInline let ledger: EffectLedger
  @usableFromInline let tracer: LegoTracer?
  /// The overrides in force where the store was made.
  @usableFromInline let injection: InjectionScope?
  /// Whose turn it is to tell changes.
  @usableFromInline let turn = Turn()
  @usableFromInline let lending = Lending()
  @usableFromInline let tracker = DesignTracker()
  @usableFromInline let registrar = ObservationRegistrar()
  @usableFromInline let runawayLimit: Int
  /// Whether no adaptor and no tracer has to be asked.
  @usableFromInline let isPlain: Bool
  /// The key path by which `Observation` knows the design.
  let trackedKeyPath: any KeyPath<Lego, B.Design> & Sendable
  /// Where parts of the design stand that effects may belong to, and that may go.
  let places: [PartPlace<B.Design>]
  @usableFromInline let state: Mutex<LegoState<B>>
  @usableFromInline let blueprint: B
  @usableFromInline let adaptors: AdaptorShelf<B>

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
  ///   - backlog: How many changes may wait to be told, and what happens when there are more.
  @inlinable public convenience init(
    _ design: B.Design, blueprint: B, adaptors: sending [Adaptor<B>] = [],
    enableLogs: Bool = false, logSink: LogSink? = nil, tracer: LegoTracer? = nil,
    runawayLimit: Int = 2_000_000, backlog: Backlog = Backlog()
  ) {
    self.init(
      design, blueprint, adaptors, enableLogs ? logSink ?? Contractors().logSink : nil, tracer,
      runawayLimit, backlog
    ) { $0.taker($1, $2) }
  }

  @usableFromInline convenience init(
    _ design: B.Design, _ blueprint: B, _ adaptors: sending [Adaptor<B>], _ log: LogSink?,
    _ tracer: LegoTracer?, _ runawayLimit: Int, _ backlog: Backlog, _ makeTaker: MakeTaker
  ) {
    let design = Self.opening(design, by: adaptors)
    self.init(
      design, blueprint, adaptors, log: log, tracer, runawayLimit, backlog: backlog,
      makeTaker: makeTaker)
  }

  package convenience init(
    _ design: B.Design, _ blueprint: B, _ adaptors: sending [Adaptor<B>], log: LogSink?,
    _ tracer: LegoTracer?, _ runawayLimit: Int,
    hook: ChangeHook<B.Design, B.Change>? = nil, clock: (any Clock<Duration>)? = nil,
    rules: Rules<B>? = nil, backlog: Backlog = Backlog()
  ) {
    self.init(
      design, blueprint, adaptors, log: log, tracer, runawayLimit, hook: hook, clock: clock,
      rules: rules, backlog: backlog
    ) { $0.taker($1, $2) }
  }

  init(
    _ design: B.Design, _ blueprint: B, _ adaptors: sending [Adaptor<B>], log: LogSink?,
    _ tracer: LegoTracer?, _ runawayLimit: Int,
    hook: ChangeHook<B.Design, B.Change>? = nil, clock: (any Clock<Duration>)? = nil,
    rules: Rules<B>? = nil, backlog: Backlog, makeTaker: MakeTaker
  ) {
    // In one loop: generic code that flattens or searches asks the run time for every type on its
    // way, which takes longer than the rest of making a store.
    var follows: [Follow<B>] = []
    var places: [PartPlace<B.Design>] = []
    var keepsBefore = false
    var answering = 0
    var openings: [@Sendable (StoreLink<B>) -> Void] = []
    for adaptor in adaptors {
      if adaptor.answersChanges { answering += 1 }
      if let opening = adaptor.opened() { openings.append(opening) }
      if adaptor.comparesDesigns { keepsBefore = true }
      for follow in adaptor.follows { follows.append(follow) }
      for place in adaptor.places { places.append(place) }
    }
    self.places = places
    isPlain = answering == 0 && tracer == nil
    state = Mutex(
      LegoState(
        design: design, notifiesAlways: answering > 0 || tracer != nil, backlog: backlog,
        keepsBefore: keepsBefore, rules: rules,
        hasParts: !places.isEmpty, hook: hook, lending: lending))
    ledger = EffectLedger(tracer: tracer)
    self.blueprint = blueprint
    self.adaptors = AdaptorShelf(adaptors, answering: answering)
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
    if !openings.isEmpty {
      let link = link
      Injection.within(injection) { for opening in openings { opening(link) } }
    }
    for follow in follows {
      let following = start(follow, makeTaker)
      state.withLock { $0.followings.append(following) }
    }
  }

  deinit {
    let last = state.withLock { $0.phase == .closed ? nil : $0.design }
    if let last {
      for work in adaptors.ended(last) { Task.detached { await work() } }
    }
    for run in ledger.cancelAll().runs { run.cancel() }
    let observers = state.withLock { $0.observers }
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
  /// been told too, and what follows from the change at once has been applied and told. Else
  /// another thread may tell it later: builds never recurse, and nobody tells more than a share of
  /// what others have built. The observers and adaptors, and the effects that they start, see the
  /// overrides in force here, whoever's thread they run on.
  ///
  /// When too many changes wait to be told, it waits as the store's ``Backlog`` says.
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
    guard lending.isPossible.load(ordering: .relaxed), !turn.isTaken else {
      return buildBesideOthers(change)
    }
    var lent: LegoState<B>.ObserverList?
    var number: UInt64 = 0
    var before: B.Design?
    let after = state.withLock { $0.applyAndLend(change, in: self, &lent, &number, &before) }
    guard number > 0 else { return buildBesideOthers(change) }
    if tracker.isWaitedFor.load(ordering: .acquiring) { notifyTrackers() }
    guard let after, let observers = lent.take() else { return number }
    if isPlain, observers.wantsDesigns {
      observers.notify(before, after)
      if !giveBack(consume observers, after: number) { tellQueue(after: number) }
    } else {
      tell(change, number: number, to: consume observers, before, after)
    }
    return number
  }
}
