public import LegoPublishers
public import Synchronization

extension Lego {
  /// The number of running effects.
  public var effectCount: Int { state.withLock { $0.effects.count } }

  /// Cancels all effects with the given ID, including those that wait for their turn.
  ///
  /// After the call, the store ignores the changes that these effects send. IDs of different types
  /// are never equal: `Int32(1)` and `1` are different IDs. The effects of parts are not cancelled,
  /// because their IDs belong to the parts.
  public func cancel(id: some Hashable & Sendable) {
    cancel([EffectID(id), EffectID(id, use: .pause)])
  }

  /// Cancels all effects of the part at the given key path, or of all its elements if it is a
  /// collection.
  public func cancel<Part>(part place: any KeyPath<B.Design, Part> & Sendable) {
    cancelParts(at: place, id: nil, within: PartPath())
  }

  /// Cancels all effects of one element of a collection.
  public func cancel<Part>(
    part place: any KeyPath<B.Design, Part> & Sendable, id: some Hashable & Sendable
  ) {
    cancelParts(at: place, id: AnySendableHashable(id), within: PartPath())
  }

  @usableFromInline func cancel(_ ids: [EffectID]) {
    finishCancelling(
      state.withLock { state in ids.reduce(into: .init()) { $0 += state.effects.cancel($1) } })
  }

  @usableFromInline func cancelParts(
    at place: any AnyKeyPath & Sendable, id: AnySendableHashable?, within path: PartPath
  ) {
    finishCancelling(state.withLock { $0.effects.cancelParts(at: place, id: id, within: path) })
  }

  // MARK: - Starting

  /// Starts an effect.
  @inlinable func start(_ effect: Effect<B.Change>, in context: EffectContext) {
    switch effect.operation {
    case .none:
      advance(context.next)
    case .send(let change):
      send(change, in: context)
      advance(context.next)
    case .publisher(let publisher):
      start(publisher, in: context)
    case .run(let options, let operation):
      start(operation, options, in: context)
    case .cancel(let id):
      cancel([id.within(context.part), id.used(as: .pause).within(context.part)])
      advance(context.next)
    case .cancelParts(let place, let id):
      cancelParts(at: place, id: id, within: context.part)
      advance(context.next)
    case .merge(let effects):
      let join = EffectContinuation(.join, after: effects.count, in: context)
      for effect in effects { start(effect, in: context.followed(by: join)) }
    case .concatenate(let effects):
      startFirst(of: effects[...], in: context)
    case .identified(let id, let policy, let effect):
      admit(effect, id.within(context.part), policy, in: context)
    case .detached(let effect):
      start(effect, in: context.outsideInnermostSpan())
      advance(context.next)
    case .part(let step, let effect):
      let inner = context.within(step)
      if let span = state.withLock({ $0.openSpan(ofPartIn: inner) }) {
        start(EffectRegistry.Pending(start: later([effect]), context: inner), in: span)
      } else {
        advance(context.next)
      }
    }
  }

  /// Applies the single change that an effect sends, unless the effect was cancelled.
  @inlinable func send(_ change: B.Change, in context: EffectContext) {
    Injection.within(context.overrides) {
      _ = apply(change, root: context.root) { $0.accepts(context) }
    }
  }

  /// Applies a change that a running effect sends, unless the effect has ended or was cancelled.
  @inlinable func send(_ change: B.Change, from run: EffectRun) {
    Injection.within(run.context.overrides) {
      _ = apply(change, root: run.context.root) { $0.effects.isRunning(run.number) }
    }
  }

  @inlinable func start(_ publisher: AnyPublisher<B.Change, Never>, in context: EffectContext) {
    if let change = publisher.readyValue {
      send(change, in: context)
      advance(context.next)
    } else if publisher.isKnownEmpty {
      advance(context.next)
    } else if let run = register(context, name: nil) {
      publisher.receive(subscriber: EffectSubscriber(run, in: self))
    }
  }

  @inlinable func start(
    _ operation: @escaping @Sendable (Send<B.Change>) async -> Void, _ options: TaskOptions,
    in context: EffectContext
  ) {
    guard let run = register(context, name: options.name) else { return }
    let subscriber = EffectSubscriber(run, in: self)
    let work: @Sendable @concurrent () async -> Void = {
      await operation(Send { subscriber.send($0) })
      subscriber.finish()
    }
    run.attach(
      options.executor.map { executor in
        Task(
          name: options.name, executorPreference: executor, priority: options.priority,
          operation: work)
      } ?? Task(name: options.name, priority: options.priority, operation: work))
  }

  /// Starts effects one after another.
  @inlinable func startFirst(of effects: ArraySlice<Effect<B.Change>>, in context: EffectContext) {
    var rest = effects
    while let first = rest.popFirst() {
      let next = EffectContinuation(.start(later(rest)), in: context)
      start(first, in: context.followed(by: next))
      // If the effect has already ended, the loop continues, so a long list needs no deep stack.
      switch next.finishStarting() {
      case .return: return
      case .skipRest: return advance(context.next, isContinuing: false)
      case .startRest:
        guard state.withLock({ $0.accepts(context) }) else { return advance(context.next) }
      }
    }
    advance(context.next)
  }

  /// Returns a closure that starts effects one after another and does not retain the store.
  @inlinable func later(_ effects: ArraySlice<Effect<B.Change>>) -> EffectRegistry.Start {
    { [weak self] context in
      guard let self else { return }
      Injection.within(context.overrides) { startFirst(of: effects, in: context) }
    }
  }

  /// Registers an effect before its work starts, so that it can be cancelled.
  ///
  /// If the effect has already been cancelled, what follows it is performed instead.
  ///
  /// - Returns: The effect, or `nil` if it has already been cancelled.
  @inlinable func register(_ context: EffectContext, name: String?) -> EffectRun? {
    let run = state.withLock { $0.accepts(context) ? $0.effects.add(context) : nil }
    guard let run else {
      advance(context.next)
      return nil
    }
    tracer?.effectStarted(run.number, root: context.root, name: name)
    return run
  }

  /// Starts an effect that has an ID, makes it wait, or drops it, depending on its policy.
  @inlinable func admit(
    _ effect: Effect<B.Change>, _ id: EffectID, _ policy: EffectPolicy, in context: EffectContext
  ) {
    let pending = EffectRegistry.Pending(start: later([effect]), context: context)
    let admission = state.withLock { state in
      state.accepts(context) ? state.effects.admit(id, policy, pending) : .drop
    }
    switch admission {
    case .start(let span, let ended):
      finishCancelling(ended)
      start(pending, in: span)
    case .wait(let replaced):
      finishCancelling(replaced)
    case .drop:
      advance(context.next)
    }
  }

  /// Starts an effect in its span, which closes when everything inside it has ended.
  @inlinable func start(_ pending: EffectRegistry.Pending, in span: EffectSpan) {
    let close = EffectContinuation(.closeSpan(span), in: pending.context)
    pending.start(pending.context.within(span).followed(by: close))
  }

  // MARK: - Ending

  /// Removes an effect that has ended on its own, performs what follows it, and releases its hold.
  @inlinable func finish(_ run: EffectRun) {
    guard state.withLock({ $0.effects.finish(run.number) }) else { return }
    tracer?.effectEnded(run.number, isCancelled: false)
    advance(run.context.next)
    release([run.context.root])
  }

  /// Cancels the work of effects that were removed under the lock, performs what follows them, and
  /// releases their holds.
  ///
  /// Effects that follow inside a cancelled span do not start, but effects that follow the span do.
  ///
  /// - Parameters:
  ///   - ended: The effects.
  ///   - isContinuing: `false` if the rest of a concatenation must not start.
  @inlinable func finishCancelling(_ ended: EffectRegistry.Ended, isContinuing: Bool = true) {
    if ended.isEmpty { return }
    for run in ended.runs {
      run.cancel()
      tracer?.effectEnded(run.number, isCancelled: true)
      advance(run.context.next, isContinuing: isContinuing)
    }
    for pending in ended.pending { advance(pending.context.next, isContinuing: isContinuing) }
    release(ended.roots)
  }

  /// Performs the steps that follow an effect, from the innermost to the outermost.
  ///
  /// It stops at a step that waits for another effect to end, or that starts an effect. When that
  /// effect ends, the outer steps are performed.
  ///
  /// - Parameters:
  ///   - next: The first step, or `nil` if nothing follows the effect.
  ///   - isContinuing: `false` if the rest of a concatenation must not start. Spans are closed all
  ///     the same, which may start waiting effects.
  @inlinable func advance(_ next: EffectContinuation?, isContinuing: Bool = true) {
    var current = next
    while let next = current, next.countDown() {
      let context = next.context
      switch next.step {
      case .start(let start):
        if next.leaveRestToStarter(isContinuing: isContinuing) { return }
        if isContinuing, state.withLock({ $0.accepts(context) }) { return start(context) }
      case .closeSpan(let span):
        if let (pending, span) = state.withLock({ $0.effects.closeSpan(span) }) {
          start(pending, in: span)
          release([pending.context.root])
        }
      case .join:
        break
      }
      current = context.next
    }
  }

  /// Releases the holds of removed effects once what follows them has been performed, and resumes
  /// the tasks that wait for builds that are now over.
  ///
  /// - Parameter roots: The root of each effect.
  @inlinable func release(_ roots: [UInt64]) {
    let tasks = state.withLock { state in
      roots.flatMap { root in
        state.effects.release(root)
        return state.takeFinished(root)
      }
    }
    for task in tasks { task.resume() }
  }
}

/// Sends the changes of an effect's publisher or task to the store.
///
/// It does not retain the store, which ignores changes after the effect has ended.
@usableFromInline final class EffectSubscriber<B: Blueprint>: Subscriber {
  @usableFromInline typealias Input = B.Change
  @usableFromInline typealias Failure = Never

  @usableFromInline let run: EffectRun
  @usableFromInline weak let lego: Lego<B>?

  @inlinable init(_ run: EffectRun, in lego: Lego<B>) {
    self.run = run
    self.lego = lego
  }

  @inlinable func send(_ change: B.Change) { lego?.send(change, from: run) }

  @inlinable func finish() {
    run.detach()
    lego?.finish(run)
  }

  @inlinable func receive(subscription: any Subscription) {
    if run.attach(subscription) { subscription.request(.unlimited) }
  }

  @inlinable func receive(_ input: B.Change) -> Subscribers.Demand {
    send(input)
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Never>) { finish() }
}
