public import Synchronization

extension Lego {
  /// Builds with the overrides that were in force where the store was made.
  @usableFromInline func buildWithInjection(_ change: B.Change) -> UInt64 {
    Injection.within(overrides) { buildNow(change) }
  }

  /// The overrides of a change that is built here: the store's, and over them those in force.
  @inlinable var overrides: InjectionScope? {
    Injection.isUsed.load(ordering: .acquiring) ? Injection.scope(over: injection) : nil
  }

  /// Applies a change that an effect sent, unless the effect was cancelled.
  @inlinable func build(_ change: B.Change, from run: EffectRun) {
    build(change, in: run.context) { _ in run.isLive }
  }

  /// Applies a change of an effect that was ready at once, unless an id around it was cancelled.
  @inlinable func build(_ change: B.Change, in context: EffectContext) {
    build(change, in: context) { _ in context.isLive }
  }

  @inlinable func build(
    _ change: B.Change, in context: EffectContext, if isLive: (inout LegoState<B>) -> Bool
  ) {
    Injection.within(context.overrides) {
      let root = context.root
      var number: UInt64 = 0
      var before: B.Design?
      var after: B.Design?
      let applied: LegoState<B>.Applied = state.withLock { state in
        guard isLive(&state), !ledger.isCancelled(root) else { return .ignored }
        let applied = state.apply(change, root: root, in: self, &before, &after)
        number = state.number
        return applied
      }
      if case .ignored = applied { return }
      if case .careful = applied {
        _ = buildCarefully(change, root: root, if: isLive)
        return
      }
      if tracker.isWaitedFor.load(ordering: .acquiring) { notifyTrackers() }
      finish(applied, change, number: number, root: root, before, after)
    }
  }

  /// Applies a change, with all that may have to be seen to.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - root: The build that caused it, or `nil` when it is a build of its own.
  ///   - isLive: Whether it is still to be applied, asked under the lock.
  /// - Returns: Its number, or 0 when it was not applied.
  @inlinable func buildCarefully(
    _ change: B.Change, root: UInt64?, if isLive: (inout LegoState<B>) -> Bool
  ) -> UInt64 {
    var number: UInt64 = 0
    var before: B.Design?
    var after: B.Design?
    let (applied, aftermath) = state.withLock { state in
      guard isLive(&state), root.map({ !ledger.isCancelled($0) }) ?? true else {
        return (LegoState<B>.Applied.ignored, nil as Aftermath<B>?)
      }
      defer { number = state.number }
      return state.applyWithCare(
        change, root: root, in: self, &before, &after)
    }
    if let aftermath { settle(aftermath) }
    if case .ignored = applied { return 0 }
    if tracker.isWaitedFor.load(ordering: .acquiring) { notifyTrackers() }
    finish(applied, change, number: number, root: root ?? number, before, after)
    return number
  }

  /// Does what a change left to be done.
  @usableFromInline func settle(_ aftermath: Aftermath<B>) {
    ledger.settle(aftermath.ended)
    for sleeper in aftermath.sleepers { sleeper() }
    switch aftermath.problem {
    case nil: break
    case .noPart(let change):
      report("ignored a change of a part that is not there: \(Description.of(change))")
    case .closed(let change):
      report("ignored a change after the store was closed: \(Description.of(change))")
    }
  }

  /// Reports a misuse.
  func report(_ problem: String) {
    Injection.within(overrides) { Contractors().problemSink.write("\(B.self): \(problem)") }
  }

  /// Reports changes that go round.
  @usableFromInline func report(_ cycle: [B.Change]) {
    guard !cycle.isEmpty else { return }
    let texts = cycle.map(Description.of)
    tracer?(.runaway(cycle: texts))
    report("changes cause one another without end: \(texts.joined(separator: " → "))")
  }
}
