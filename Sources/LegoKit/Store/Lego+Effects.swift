internal import Synchronization

extension Lego {
  /// Starts an effect that answers a change; its changes keep the overrides in force here.
  @inlinable func start(
    _ effect: Effect<B.Change>, for notification: ChangeNotification<B.Change>
  ) {
    start(
      effect,
      in: EffectContext(
        root: notification.root, number: notification.number, overrides: overrides))
  }

  /// Starts an effect.
  @inlinable func start(_ effect: Effect<B.Change>, in context: EffectContext) {
    switch effect.operation {
    case .none:
      ledger.advance(context.next)
    case .send(let change):
      build(change, in: context)
      ledger.advance(context.next)
    case .publisher(let publisher):
      start(publisher, in: context)
    case .task(let operation):
      start(operation, in: context)
    case .run(let priority, let name, let executor, let operation):
      start(operation, priority, name, executor, in: context)
    case .cancel(let id):
      cancel(id.within(context.way))
      cancel(id.used(as: .pause).within(context.way))
      ledger.advance(context.next)
    case .cancelPart(let name):
      cancel(name, within: context.way)
      ledger.advance(context.next)
    case .merge(let effects):
      let join = EffectNext(.join, after: effects.count, in: context)
      for effect in effects { start(effect, in: context.followed(by: join)) }
    case .concatenate(let effects):
      startFirst(of: effects[...], in: context)
    case .identified(let id, let policy, let effect):
      ledger.admit(later([effect]), id.within(context.way), policy, in: context) { settleChanges() }
    case .spawn(let effect):
      start(effect, in: context.outside())
      ledger.advance(context.next)
    case .part(let step, let effect):
      start(effect, ofPartAt: step, in: context)
    }
  }

  @inlinable func startFirst(of effects: ArraySlice<Effect<B.Change>>, in context: EffectContext) {
    var rest = effects
    while let first = rest.popFirst() {
      // What is over at once needs no step of its own, so that a long list needs no deep stack.
      switch first.operation {
      case .none:
        continue
      case .send(let change):
        build(change, in: context)
      default:
        let next = EffectNext(.rest(later(rest)), in: context)
        start(first, in: context.followed(by: next))
        guard let isContinuing = next.started() else { return }
        guard isContinuing, context.isLive else {
          return ledger.advance(context.next, isContinuing: isContinuing)
        }
      }
    }
    ledger.advance(context.next)
  }

  /// Effects to start later, for which the store is not kept alive.
  @inlinable func later(_ effects: ArraySlice<Effect<B.Change>>) -> EffectStart {
    EffectStart { [weak self] context in
      guard let self, let first = effects.first else { return false }
      Injection.within(context.overrides) {
        if effects.count == 1 {
          start(first, in: context)
        } else {
          startFirst(of: effects, in: context)
        }
      }
      return true
    }
  }

  @inlinable func start(_ publisher: AnyPublisher<B.Change, Never>, in context: EffectContext) {
    if let change = publisher.readyValue {
      build(change, in: context)
      ledger.advance(context.next)
    } else if publisher.isKnownEmpty {
      ledger.advance(context.next)
    } else if let run = ledger.add(context, name: nil) {
      publisher.receive(subscriber: EffectSubscriber(run, in: self))
    }
  }

  @inlinable func start(
    _ operation: @escaping @Sendable (Send<B.Change>) async -> Void, _ priority: TaskPriority?,
    _ name: String?, _ executor: (any TaskExecutor)?, in context: EffectContext
  ) {
    guard let run = ledger.add(context, name: name) else { return }
    let outlet = EffectSubscriber(run, in: self)
    run.attach(
      executor.map { executor in
        Task(name: name, executorPreference: executor, priority: priority) { @concurrent in
          await outlet.perform(operation)
        }
      } ?? Task(name: name, priority: priority) { @concurrent in await outlet.perform(operation) })
  }

  /// Starts a task with nothing to say of itself, which is made faster.
  ///
  /// So is one whose closure is written where it is made, because it is not wrapped to fit.
  @inlinable func start(
    _ operation: @escaping @Sendable (Send<B.Change>) async -> Void, in context: EffectContext
  ) {
    guard let run = ledger.add(context, name: nil) else { return }
    let outlet = EffectSubscriber(run, in: self)
    run.attach(Task { @concurrent in await outlet.perform(operation) })
  }

  /// Cancels every effect of an id.
  @usableFromInline func cancel(_ id: EffectID) {
    let ended = ledger.cancel(id)
    if ended.isEmpty { return }
    settleChanges()
    ledger.settle(ended)
  }

  /// Cancels every effect of the parts that a name stands for.
  @usableFromInline func cancel(_ name: PartName, within way: PartWay?) {
    let ended = ledger.cancel(name, within: way)
    if ended.isEmpty { return }
    settleChanges()
    ledger.settle(ended)
  }

  /// Starts an effect of a part, if the part is still the one that the effect is meant for.
  @usableFromInline func start(
    _ effect: Effect<B.Change>, ofPartAt step: PartStep, in context: EffectContext
  ) {
    let inner = context.within(step)
    let test = places.isEmpty ? nil : places.test(of: inner.way?.steps[...] ?? [])
    if case .send(let change) = effect.operation {
      // What is over at once need not be found again.
      build(change, in: inner) { inner.isLive && $0.has(test, in: inner) }
      ledger.advance(context.next)
    } else if let scope = state.withLock({ $0.enter(inner, test, in: ledger) }) {
      ledger.enter(scope, .init(effects: later([effect]), context: inner))
    } else {
      ledger.advance(context.next)
    }
  }

  /// Lets a change be applied whose effect was not cancelled yet when it was looked at.
  @usableFromInline func settleChanges() {
    state.withLock { _ in }
  }
}
