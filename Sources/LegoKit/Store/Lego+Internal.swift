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
    build(change, in: run.context) { run.isLive }
  }

  /// Applies a change of an effect that was ready at once, unless an id around it was cancelled.
  @inlinable func build(_ change: B.Change, in context: EffectContext) {
    build(change, in: context) { context.isLive }
  }

  @inlinable func build(_ change: B.Change, in context: EffectContext, if isLive: () -> Bool) {
    if let intake {
      if state.withLock({ _ in isLive() && !ledger.isCancelled(context.root) }) { intake(change) }
      return
    }
    Injection.within(context.overrides) {
      var number: UInt64 = 0
      var before: B.Design?
      var after: B.Design?
      let applied: LegoState<B>.Applied? = state.withLock { state in
        guard isLive(), !ledger.isCancelled(context.root) else { return nil }
        defer { number = state.number }
        return state.apply(change, root: context.root, in: self, &before, &after)
      }
      guard let applied else { return }
      if tracker.isWaitedFor.load(ordering: .acquiring) { notifyTrackers() }
      finish(applied, change, number: number, root: context.root, before, after)
    }
  }

  /// Reports changes that go round.
  @usableFromInline func report(_ cycle: [B.Change]) {
    guard !cycle.isEmpty else { return }
    let texts = cycle.map(Description.of)
    tracer?(.runaway(cycle: texts))
    Injection.within(overrides) {
      Contractors().problemSink.write(
        "\(B.self): changes cause one another without end: \(texts.joined(separator: " → "))")
    }
  }
}
