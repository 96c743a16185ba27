internal import Synchronization

extension Lego: EffectHost {
  /// Starts an effect.
  func start(_ effect: Effect<B.Change>, in context: EffectContext<B>) {
    switch effect.operation {
    case .none:
      advance(context.next)
    case .send(let change):
      build(change, in: context)
      advance(context.next)
    case .publisher(let publisher):
      start(publisher, in: context)
    case .run(let priority, let name, let executor, let operation):
      start(operation, priority, name, executor, in: context)
    case .cancel(let id):
      cancel(id.within(context.way))
      cancel(id.used(as: .pause).within(context.way))
      advance(context.next)
    case .cancelPart(let name):
      cancel(name, within: context.way)
      advance(context.next)
    case .merge(let effects):
      let join = EffectNext(.join, after: effects.count, in: context)
      for effect in effects { start(effect, in: context.followed(by: join)) }
    case .concatenate(let effects):
      startFirst(of: effects[...], in: context)
    case .identified(let id, let policy, let effect):
      admit(effect, id.within(context.way), policy, in: context)
    case .spawn(let effect):
      start(effect, in: context.outside())
      advance(context.next)
    case .part(let step, let effect):
      start(effect, ofPartAt: step, in: context)
    }
  }

  private func startFirst(of effects: ArraySlice<Effect<B.Change>>, in context: EffectContext<B>) {
    var rest = effects
    while let first = rest.popFirst() {
      // What is over at once needs no step of its own, so that a long list needs no deep stack.
      switch first.operation {
      case .none:
        continue
      case .send(let change):
        build(change, in: context)
      default:
        let next = EffectNext(.rest(rest), in: context)
        start(first, in: context.followed(by: next))
        guard let isContinuing = next.started() else { return }
        guard isContinuing, context.isLive else {
          return advance(context.next, isContinuing: isContinuing)
        }
      }
    }
    advance(context.next)
  }

  private func start(_ publisher: AnyPublisher<B.Change, Never>, in context: EffectContext<B>) {
    if let change = publisher.readyValue {
      build(change, in: context)
      advance(context.next)
    } else if publisher.isKnownEmpty {
      advance(context.next)
    } else if let run = register(context) {
      publisher.receive(subscriber: run)
    }
  }

  private func start(
    _ operation: @escaping @Sendable (Send<B.Change>) async -> Void, _ priority: TaskPriority?,
    _ name: String?, _ executor: (any TaskExecutor)?, in context: EffectContext<B>
  ) {
    guard let run = register(context, name: name) else { return }
    let task = Task(name: name, executorPreference: executor, priority: priority) { @concurrent in
      await operation(Send { run.send($0) })
      run.finish()
    }
    _ = run.attach(TaskHandle(task: task))
  }

  /// Registers an effect before it starts, so that it can be cancelled from then on.
  ///
  /// - Returns: The effect, or `nil` when it was cancelled already.
  private func register(_ context: EffectContext<B>, name: String? = nil) -> EffectRun<B>? {
    let run = state.withLock { $0.effects.add(context, of: self) }
    guard run.isLive.load(ordering: .acquiring) else {
      advance(context.next)
      return nil
    }
    tracer?.effectStarted(run.number, root: context.root, name: name)
    return run
  }

  private func admit(
    _ effect: Effect<B.Change>, _ id: EffectID, _ policy: EffectPolicy,
    in context: EffectContext<B>
  ) {
    let pending = EffectRegistry<B>.Pending(effect: effect, context: context)
    switch state.withLock({ $0.effects.admit(id, policy, pending) }) {
    case .start(let scope, let ended):
      settle(ended)
      enter(scope, pending)
    case .wait(let earlier):
      settle(earlier)
    case .drop:
      advance(context.next)
    }
  }

  private func enter(_ scope: EffectScope, _ pending: EffectRegistry<B>.Pending) {
    let leave = EffectNext(.leave(scope), in: pending.context)
    start(pending.effect, in: pending.context.within(scope, next: leave))
  }

  /// Starts an effect of a part, if the part is still the one that the effect is meant for.
  private func start(
    _ effect: Effect<B.Change>, ofPartAt step: PartStep, in context: EffectContext<B>
  ) {
    let pending = EffectRegistry<B>.Pending(effect: effect, context: context.within(step))
    let test = places.isEmpty ? nil : places.test(of: pending.context.way?.steps[...] ?? [])
    if case .send(let change) = effect.operation {
      // What is over at once need not be found again.
      build(change, in: pending.context, test)
      advance(context.next)
    } else if let scope = state.withLock({ $0.enter(pending.context, test) }) {
      enter(scope, pending)
    } else {
      advance(context.next)
    }
  }

  /// Cancels every effect of an id.
  func cancel(_ id: EffectID) {
    settle(state.withLock { $0.effects.cancel(id) })
  }

  /// Cancels what was ended under the lock, and goes on with what follows it.
  ///
  /// - Parameters:
  ///   - ended: What was ended.
  ///   - isContinuing: Whether what follows may start.
  func settle(_ ended: EffectRegistry<B>.Ended, isContinuing: Bool = true) {
    for run in ended.runs {
      run.cancel()
      tracer?.effectEnded(run.number, isCancelled: true)
      advance(run.context.next, isContinuing: isContinuing)
    }
    for pending in ended.pending { advance(pending.context.next, isContinuing: isContinuing) }
    for root in ended.roots { release(root) }
  }

  /// Goes on after an effect that has ended.
  func advance(_ next: EffectNext<B>?, isContinuing: Bool = true) {
    var current = next
    while let next = current, next.countDown() {
      let context = next.context
      switch next.step {
      case .rest(let rest):
        if next.isLeftToStarter(isContinuing: isContinuing) { return }
        if isContinuing, context.isLive, !rest.isEmpty {
          return startFirst(of: rest, in: context)
        }
      case .leave(let scope):
        if let (pending, scope) = state.withLock({ $0.effects.leave(scope) }) {
          enter(scope, pending)
          release(pending.context.root)
        }
      case .join:
        break
      }
      current = context.next
    }
  }

  /// Forgets an effect that has ended by itself.
  func end(_ run: EffectRun<B>) {
    guard state.withLock({ $0.effects.finish(run) }) else { return }
    tracer?.effectEnded(run.number, isCancelled: false)
    advance(run.context.next)
    release(run.context.root)
  }

  /// Lets go of a build that an ended effect has held, now that what follows it has started.
  private func release(_ root: UInt64) {
    let settled = state.withLock { state in
      state.effects.release(root)
      return takeSettledWaiters(of: root, in: &state)
    }
    settled?.resume()
  }

  /// Resumes those who wait for a build, if it is over.
  @usableFromInline func resumeWaiters(of root: UInt64) {
    state.withLock { takeSettledWaiters(of: root, in: &$0) }?.resume()
  }

  private func takeSettledWaiters(of root: UInt64, in state: inout LegoState<B>) -> Waiters? {
    guard hasWaiters.load(ordering: .sequentiallyConsistent) else { return nil }
    defer { hasWaiters.store(state.hasWaiters, ordering: .sequentiallyConsistent) }
    return state.takeSettledWaiters(of: root, isNotifying: turn.isTaken)
  }
}
