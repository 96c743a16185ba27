internal import Synchronization

extension Lego {
  /// Builds with the overrides that were in force where the store was made.
  @usableFromInline func buildWithInjection(_ change: B.Change) -> UInt64 {
    withInjection { buildNow(change) }
  }

  /// Runs a closure with the store's overrides, under those of the caller.
  func withInjection<Result>(_ body: () -> Result) -> Result {
    guard let injection, injection !== Injection.scope else { return body() }
    let scope = Injection.scope.map { injection.merging($0) } ?? injection
    return Injection.with(scope, body)
  }

  /// Applies a change that an effect sent, unless the effect was cancelled.
  func build(_ change: B.Change, from run: EffectRun<B>) {
    build(change, root: run.context.root) { run.isLive.load(ordering: .relaxed) }
  }

  /// Applies a change of an effect that was ready at once, unless an id around it was cancelled.
  func build(_ change: B.Change, in context: EffectContext<B>) {
    build(change, root: context.root) { context.isLive }
  }

  /// Starts an effect that answers a change.
  @usableFromInline func start(_ effect: Effect<B.Change>, root: UInt64) {
    start(effect, in: EffectContext(root: root))
  }

  private func build(_ change: B.Change, root: UInt64, if isLive: () -> Bool) {
    withInjection {
      var number: UInt64 = 0
      var before: B.Design?
      var after: B.Design?
      let observers: LegoState<B>.ObserverList? = state.withLock { state in
        guard isLive(), !state.isCancelled(root) else { return nil }
        defer { number = state.number }
        return state.apply(change, root: root, with: blueprint, turn, &before, &after)
      }
      if number > 0, tracker.isWaitedFor.load(ordering: .acquiring) { notifyTrackers() }
      guard let observers, let after else { return }
      notify(observers, ChangeNotification(change, number: number, root: root), before, after)
      let last = turn.end() ? root : notifyRest(after: root)
      if hasWaiters.load(ordering: .sequentiallyConsistent) { resumeWaiters(of: last) }
    }
  }

  /// Reports changes that go round.
  @usableFromInline func report(_ cycle: [B.Change]) {
    guard !cycle.isEmpty else { return }
    let texts = cycle.map(Description.of)
    tracer?(.runaway(cycle: texts))
    withInjection {
      Contractors().problemSink.write(
        "\(B.self): changes cause one another without end: \(texts.joined(separator: " → "))")
    }
  }
}
