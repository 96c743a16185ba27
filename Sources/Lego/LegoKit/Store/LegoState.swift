internal import LegoPublishers

/// The state that a store protects with its lock: the design, the queue, the observers, and the
/// running and waiting effects.
///
/// Two kinds of code run under the lock, neither of which may use the store:
///
/// - Code of the program: the blueprint or feature, the key paths and closures that find a part,
///   and the comparison of IDs. This code must be pure.
/// - Closures of the library: the conditions that are passed to ``Lego/apply(_:root:if:)``, the
///   test hook, ``scopes``, and the lookups of parts. These closures write only to their own
///   memory, such as `PartMemory` and `PositionHint`.
@usableFromInline struct LegoState<B: Blueprint>: Sendable {
  /// The stages of closing a store.
  @usableFromInline enum Phase: Sendable {
    case open
    /// Builds are refused, but effects continue and may send changes.
    case closing
    case closed
  }

  /// A running ``Follow``: its observer, and the span around its effects.
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
  /// The number of records that have been added to the queue so far.
  ///
  /// It is also the sequence number of the last record that was added.
  @usableFromInline var queued: UInt64 = 0
  /// The number of records that have been delivered so far.
  ///
  /// It is also the sequence number of the last record that was delivered.
  @usableFromInline var delivered: UInt64 = 0
  /// The builds that tasks are waiting for, and those that were cancelled but are not yet over.
  @usableFromInline var builds = TrackedBuilds()
  @usableFromInline var effects = EffectRegistry()
  @usableFromInline var phase = Phase.open
  /// The task that closes the store.
  var closing: Task<Void, Never>?
  /// The running ``Adaptor/follows`` of all adaptors.
  var followings: [Following] = []
  /// Closures that receive each design under the lock, until they return `false`.
  ///
  /// Each closure updates the last design of a scope whose part can be removed.
  @usableFromInline var scopes: [@Sendable (B.Design) -> Bool] = []
  /// Closures to call once, after the next change and outside the lock.
  @usableFromInline var wakers: [@Sendable () -> Void] = []

  init(design: B.Design, backlog: Backlog) {
    self.design = design
    delivery = Delivery(backlog: backlog)
  }

  // MARK: - Changes

  /// The result of applying a change.
  @usableFromInline struct Applied: Sendable {
    /// The change's number, or 0 if it was not applied.
    @usableFromInline var number: UInt64 = 0
    /// The builder's role in the delivery.
    @usableFromInline var role = Delivery.Role.leave
    /// The work to do outside the lock, or `nil` if there is none.
    @usableFromInline var cleanup: Cleanup?

    @inlinable init() {}
  }

  /// The work to do outside the lock after a change has been applied or refused.
  @usableFromInline final class Cleanup: Sendable {
    enum Problem: Sendable {
      case missingPart, closed
    }

    /// The cancelled effects of parts that no longer exist.
    let ended: EffectRegistry.Ended
    let wakers: [@Sendable () -> Void]
    /// The closures of scopes whose parts no longer exist.
    ///
    /// They are kept here so that they are freed outside the lock.
    let scopes: [@Sendable (B.Design) -> Bool]
    /// The reason for refusing the change, or `nil` if no report is needed.
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
  ///   - root: The root of the effect that sends the change (see ``EffectContext/root``), or `nil`
  ///     if the change is itself a build.
  ///   - overrides: The overrides to activate while the change is delivered.
  ///   - mayCallObservers: `false` if the builder must neither deliver nor wait.
  ///   - lego: The store.
  /// - Returns: The change's number, and what the builder must do outside the lock.
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

  /// Returns the result of refusing a change, or `nil` if the change may be applied.
  ///
  /// A store that is closing refuses builds, and a closed store refuses all changes.
  @usableFromInline func refusal(root: UInt64?) -> Applied? {
    if case .closing = phase, root != nil { return nil }
    var applied = Applied()
    // A late change from an effect is not a mistake, so only builds are reported.
    if root == nil { applied.cleanup = Cleanup(problem: .closed) }
    return applied
  }

  @usableFromInline func missingPart() -> Applied {
    var applied = Applied()
    applied.cleanup = Cleanup(problem: .missingPart)
    return applied
  }

  /// A Boolean value that indicates whether there are scopes, wakers, or effects of parts that can
  /// be removed.
  @inlinable var hasDependents: Bool {
    effects.hasParts || !scopes.isEmpty || !wakers.isEmpty
  }

  /// Updates the scopes, cancels the effects of parts that no longer exist, and takes the wakers.
  ///
  /// - Returns: The work to do outside the lock, or `nil` if there is none.
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
    /// The record to deliver, or `nil` if the session has ended.
    @usableFromInline var record: Record<B>?
    /// The thread that continues, if the session ended with records in the queue.
    @usableFromInline var successor: Delivery.Successor?
    /// The waiting builders to wake, now that the queue has room again.
    @usableFromInline var builders: [WaitingBuilder] = []
    /// The tasks to resume, now that the builds that they wait for are over.
    @usableFromInline var finished: [WaitingTask] = []

    @inlinable init() {}
  }

  /// Completes the delivery of the previous record, and takes the next one from the queue.
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

  /// Returns `true` if all queued records have been delivered and a build has no effects.
  ///
  /// Records of other builds count as well, because the queue is not searched. The result may
  /// therefore be `false` even if nothing of the build is left.
  func isOver(_ root: UInt64) -> Bool {
    delivered == queued && !effects.contains(root: root)
  }

  /// The sequence number of the last queued record, or 0 if all records have been delivered.
  private var lastUndelivered: UInt64 { delivered == queued ? 0 : queued }

  /// Makes a task wait for a build.
  ///
  /// - Returns: `true` if the build is already over, in which case the caller resumes the task.
  mutating func wait(_ task: WaitingTask, for root: UInt64) -> Bool {
    if isOver(root) { return true }
    builds.add(task, for: root, until: lastUndelivered)
    return false
  }

  /// Cancels the effects of a build, and prevents the build from starting others.
  mutating func cancel(_ root: UInt64) -> EffectRegistry.Ended {
    let ended = effects.cancel(root: root)
    if !isOver(root) { builds.cancel(root, until: lastUndelivered) }
    return ended
  }

  /// Removes and returns the tasks that wait for builds that ended with the last delivered record.
  @usableFromInline mutating func takeFinishedBuilds() -> [WaitingTask] {
    builds.takeDue(at: delivered).flatMap { takeFinished($0) }
  }

  /// Removes and returns the tasks that wait for a build, if the build is over.
  @inlinable mutating func takeFinished(_ root: UInt64) -> [WaitingTask] {
    effects.contains(root: root) ? [] : builds.takeFinished(root, deliveredTo: delivered)
  }

  // MARK: - Effects

  /// Returns `true` if an effect may start or send: all spans around it are open, and its build was
  /// not cancelled.
  @inlinable func accepts(_ context: EffectContext) -> Bool {
    effects.isLive(context) && !builds.isCancelled(context.root)
  }

  /// Opens a span for an effect of a part.
  ///
  /// - Returns: The span, or `nil` if the effect must not start because it was cancelled, or
  ///   because its part was removed after the change that triggered the effect.
  @usableFromInline mutating func openSpan(ofPartIn context: EffectContext) -> EffectSpan? {
    guard accepts(context), hasPart(context) else { return nil }
    return effects.openSpan(ofPartIn: context)
  }

  private func hasPart(_ context: EffectContext) -> Bool {
    let part = context.part
    if !part.canGo || effects.containsPart(part, since: context.number) { return true }
    guard part.exists(in: design) else { return false }
    // Later changes are still in the queue. If the part is missing after one of them, the part that
    // exists now is a different one with the same ID.
    let gap = queue.last { $0.number > context.number && !part.exists(in: $0.after) }
    return gap == nil
  }
}
