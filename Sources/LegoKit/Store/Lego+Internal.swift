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
    _ = build(change, root: run.context.root) { _ in run.isLive.load(ordering: .relaxed) }
  }

  /// Applies a change of an effect that was ready at once, unless an id around it was cancelled.
  func build(_ change: B.Change, in context: EffectContext<B>) {
    _ = build(change, root: context.root) { _ in context.isLive }
  }

  /// Applies a change of an effect of a part that was ready at once, unless the part went.
  func build(_ change: B.Change, in context: EffectContext<B>, _ test: PartTest<B.Design>?) {
    _ = build(change, root: context.root) { context.isLive && $0.has(test, in: context) }
  }

  /// Starts an effect that answers a change.
  @usableFromInline func start(
    _ effect: Effect<B.Change>, for notification: ChangeNotification<B.Change>
  ) {
    start(effect, in: EffectContext(root: notification.root, number: notification.number))
  }

  /// Applies a change, with all that may have to be seen to.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - root: The build that caused it, or `nil` when it is a build of its own.
  ///   - isLive: Whether it is still to be applied, asked under the lock.
  /// - Returns: Its number, or 0 when it was not applied.
  @usableFromInline func build(
    _ change: B.Change, root: UInt64?, if isLive: (inout LegoState<B>) -> Bool
  ) -> UInt64 {
    withInjection {
      var number: UInt64 = 0
      var before: B.Design?
      var after: B.Design?
      let (observers, aftermath) = state.withLock { state in
        guard isLive(&state), root.map({ !state.isCancelled($0) }) ?? true else {
          return (nil as LegoState<B>.ObserverList?, nil as Aftermath<B>?)
        }
        defer { number = state.number }
        if state.needsCare {
          return state.applyWithCare(change, root: root, with: blueprint, turn, &before, &after)
        }
        return (state.apply(change, root: root, with: blueprint, turn, &before, &after), nil)
      }
      if let aftermath, !settle(aftermath) { return 0 }
      if number > 0, tracker.isWaitedFor.load(ordering: .acquiring) { notifyTrackers() }
      guard let observers, let after else { return number }
      let root = root ?? number
      notify(observers, ChangeNotification(change, number: number, root: root), before, after)
      let last = turn.end() ? root : notifyRest(after: root)
      if hasWaiters.load(ordering: .sequentiallyConsistent) { resumeWaiters(of: last) }
      return number
    }
  }

  /// Does what a change left to be done.
  ///
  /// - Returns: Whether the change was applied.
  private func settle(_ aftermath: Aftermath<B>) -> Bool {
    settle(aftermath.ended)
    switch aftermath.problem {
    case nil: return true
    case .noPart(let change):
      report("ignored a change of a part that is not there: \(Description.of(change))")
    }
    return false
  }

  /// Reports a misuse.
  func report(_ problem: String) {
    withInjection { Contractors().problemSink.write("\(B.self): \(problem)") }
  }

  /// Reports changes that go round.
  @usableFromInline func report(_ cycle: [B.Change]) {
    guard !cycle.isEmpty else { return }
    let texts = cycle.map(Description.of)
    tracer?(.runaway(cycle: texts))
    report("changes cause one another without end: \(texts.joined(separator: " → "))")
  }
}
