internal import LegoPublishers

/// Everything that a store protects with its lock: the design, the changes to deliver, the
/// observers and the effects that are under way.
///
/// Only the blueprint, and key paths and lookups of parts, run under the lock. They are pure.
@usableFromInline struct LegoState<B: Blueprint>: Sendable {
  /// How far a store has been closed.
  @usableFromInline enum Phase: Sendable {
    case open
    /// Effects continue, and builds are refused.
    case closing
    case closed
  }

  /// An effect that follows from the design: its observer, and the span that contains its effects.
  struct Following: Sendable {
    let observer: Observer<B>
    let span: EffectSpan
  }

  @usableFromInline var design: B.Design
  /// The number of the last change.
  @usableFromInline var number: UInt64 = 0
  @usableFromInline var observers: [Observer<B>] = []
  @usableFromInline var queue = Queue<Record<B>>()
  @usableFromInline var delivery: Delivery
  /// The number of records that were ever queued.
  @usableFromInline var queued: UInt64 = 0
  /// The number of records that were delivered.
  ///
  /// They are delivered in the order of the queue.
  @usableFromInline var delivered: UInt64 = 0
  /// The builds that a task is waiting for, and those that have been cancelled.
  @usableFromInline var builds = TrackedBuilds()
  @usableFromInline var effects = EffectRegistry()
  @usableFromInline var phase = Phase.open
  /// The task that closes the store.
  var closing: Task<Void, Never>?
  /// The adaptors' effects that follow from the design.
  var followings: [Following] = []
  /// Closures that receive each design under the lock, until they return `false`.
  ///
  /// Each one maintains the last design of a scope whose part can go.
  @usableFromInline var scopes: [@Sendable (B.Design) -> Bool] = []
  /// Closures to call after the next change.
  @usableFromInline var wakers: [@Sendable () -> Void] = []

  init(design: B.Design, backlog: Backlog) {
    self.design = design
    delivery = Delivery(backlog: backlog)
  }

  // MARK: - Changes

  /// The result of applying a change.
  @usableFromInline struct Applied: Sendable {
    /// The change's number, or 0 if it was refused.
    @usableFromInline var number: UInt64 = 0
    /// The builder's role in the delivery.
    @usableFromInline var role = Delivery.Role.leave
    /// The work that the change leaves to be done outside the lock.
    @usableFromInline var cleanup: Cleanup?

    @inlinable init() {}
  }

  /// The work that a change leaves to be done outside the lock.
  @usableFromInline final class Cleanup: Sendable {
    enum Problem: Sendable {
      case missingPart, closed
    }

    /// The effects of parts that the change removed.
    let ended: EffectRegistry.Ended
    let wakers: [@Sendable () -> Void]
    /// The closures of scopes whose part has gone, which are freed outside the lock.
    let scopes: [@Sendable (B.Design) -> Bool]
    /// Why the change was refused, if the caller made a mistake.
    let problem: Problem?

    init(
      ended: EffectRegistry.Ended = .init(), wakers: [@Sendable () -> Void] = [],
      scopes: [@Sendable (B.Design) -> Bool] = [], problem: Problem? = nil
    ) {
      self.ended = ended
      self.wakers = wakers
      self.scopes = scopes
      self.problem = problem
    }
  }

  /// Applies a change, and adds it to the queue if anything receives changes.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - root: The build that caused it, 0 if none did, or `nil` if it is a build.
  ///   - overrides: The overrides that it is delivered under.
  ///   - mayCallObservers: `false` if the builder must neither deliver nor wait.
  ///   - lego: The store.
  /// - Returns: The change's number, and the work that is left to the builder.
  @inlinable mutating func apply(
    _ change: B.Change, root: UInt64?, overrides: InjectionScope?, mayCallObservers: Bool,
    in lego: Lego<B>
  ) -> Applied {
    var applied = Applied()
    if isClosing, let refusal = refusal(root: root) { return refusal }
    let before: B.Design? = lego.comparesDesigns || !observers.isEmpty ? design : nil
    guard lego.rules(&design, change) else { return missingPart() }
    number &+= 1
    applied.number = number
    if hasDependents { applied.cleanup = updateDependents() }
    if let hook = lego.hook, let before {
      hook.note(change, number: number, root: root ?? number, before: before, after: design)
    }
    guard lego.deliversAlways || !observers.isEmpty else { return applied }
    let (session, role) = delivery.admit(
      from: .current, count: queue.count + 1, mayCallObservers: mayCallObservers)
    applied.role = role
    append(
      Record(
        change, number: number, root: root ?? number, from: before, to: design, for: observers,
        overrides: overrides, session: session))
    return applied
  }

  @inlinable mutating func append(_ record: Record<B>) {
    queued &+= 1
    if !builds.isEmpty { builds.noteQueued(queued, root: record.root) }
    queue.append(record)
  }

  @inlinable var isClosing: Bool {
    if case .open = phase { false } else { true }
  }

  /// Refuses builds of a store that is closing, and all changes of one that is closed.
  @usableFromInline func refusal(root: UInt64?) -> Applied? {
    if case .closing = phase, root != nil { return nil }
    var applied = Applied()
    // An effect that sends too late made no mistake.
    if root == nil { applied.cleanup = Cleanup(problem: .closed) }
    return applied
  }

  @usableFromInline func missingPart() -> Applied {
    var applied = Applied()
    applied.cleanup = Cleanup(problem: .missingPart)
    return applied
  }

  /// A Boolean value that indicates whether scopes, effects of parts or wakers depend on the
  /// design.
  @inlinable var hasDependents: Bool {
    effects.hasParts || !scopes.isEmpty || !wakers.isEmpty
  }

  /// Updates the scopes, ends the effects of parts that no longer exist, and returns the wakers to
  /// call once the lock is released.
  @usableFromInline mutating func updateDependents() -> Cleanup? {
    var gone: [@Sendable (B.Design) -> Bool] = []
    if !scopes.isEmpty {
      scopes.removeAll { [design] scope in
        if scope(design) { return false }
        gone.append(scope)
        return true
      }
    }
    let ended = effects.hasParts ? effects.endMissingParts(of: design) : .init()
    let due = wakers
    wakers = []
    if ended.isEmpty, due.isEmpty, gone.isEmpty { return nil }
    return Cleanup(ended: ended, wakers: due, scopes: gone)
  }

  // MARK: - Delivery

  /// The next step of the delivering thread.
  @usableFromInline struct DeliveryStep: Sendable {
    /// The next change, or `nil` if the session has ended.
    @usableFromInline var record: Record<B>?
    /// The thread that continues, if the session ended with changes in the queue.
    @usableFromInline var successor: Delivery.Successor?
    /// The builders that the queue has room for again.
    @usableFromInline var builders: [WaitingBuilder] = []
    /// The tasks whose builds are over.
    @usableFromInline var finished: [WaitingTask] = []

    @inlinable init() {}
  }

  /// Ends the delivery of a record, if there is one, and takes the next out of the queue.
  ///
  /// - Parameter hasDelivered: `true` if the caller has just delivered a record.
  /// - Returns: The next step.
  @inlinable mutating func nextDelivery(hasDelivered: Bool) -> DeliveryStep {
    var step = DeliveryStep()
    if hasDelivered {
      delivered &+= 1
      if !builds.isEmpty { step.finished = takeFinishedBuilds() }
    }
    guard let first = queue.first else {
      delivery.end()
      return step
    }
    guard delivery.mayDeliver(from: first.session) else {
      step.successor = delivery.handOver()
      return step
    }
    step.record = queue.popFirst()
    step.builders = delivery.buildersWithRoom(count: queue.count)
    return step
  }

  // MARK: - Builds

  /// Returns `true` if everything that a build caused is over.
  ///
  /// Changes of other builds that are queued before this call count as well, so the queue need not
  /// be searched.
  func isOver(_ root: UInt64) -> Bool {
    delivered == queued && !effects.contains(root: root)
  }

  /// The place of the last record in the queue, or 0 if all records have been delivered.
  private var lastUndelivered: UInt64 { delivered == queued ? 0 : queued }

  /// Lets a task wait for a build, or returns `true` if the build is over.
  mutating func wait(_ task: WaitingTask, for root: UInt64) -> Bool {
    if isOver(root) { return true }
    builds.add(task, for: root, until: lastUndelivered)
    return false
  }

  /// Ends the effects of a build, and lets no other start.
  mutating func cancel(_ root: UInt64) -> EffectRegistry.Ended {
    let ended = effects.cancel(root: root)
    if !isOver(root) { builds.cancel(root, until: lastUndelivered) }
    return ended
  }

  /// Takes the tasks whose builds are over with the record that was delivered last.
  @usableFromInline mutating func takeFinishedBuilds() -> [WaitingTask] {
    builds.takeDue(at: delivered).flatMap { takeFinished($0) }
  }

  /// Takes the tasks that wait for a build, if it is over.
  @inlinable mutating func takeFinished(_ root: UInt64) -> [WaitingTask] {
    effects.contains(root: root) ? [] : builds.takeFinished(root, deliveredTo: delivered)
  }

  // MARK: - Effects

  /// Returns `true` if an effect may start or send: its build, its part and its ids were not
  /// cancelled.
  @inlinable func accepts(_ context: EffectContext) -> Bool {
    effects.isLive(context) && !builds.isCancelled(context.root)
  }

  /// Opens a span for an effect of a part.
  ///
  /// - Returns: The span, or `nil` if the effect must not start because it was cancelled, or
  ///   because its part does not exist or was replaced after the change that the effect answers.
  @usableFromInline mutating func openSpan(ofPartIn context: EffectContext) -> EffectSpan? {
    guard accepts(context), hasPart(context) else { return nil }
    return effects.openSpan(ofPartIn: context)
  }

  private func hasPart(_ context: EffectContext) -> Bool {
    let part = context.part
    if !part.canGo || effects.containsPart(part, since: context.number) { return true }
    guard part.exists(in: design) else { return false }
    // All later changes are still in the queue: the part must exist after each of them.
    let gap = queue.last { $0.number > context.number && !part.exists(in: $0.after) }
    return gap == nil
  }
}
