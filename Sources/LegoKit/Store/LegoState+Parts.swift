extension LegoState {
  /// Applies a change as ``apply(_:root:in:_:_:)`` does, and sees to the parts.
  ///
  /// - Returns: What its builder has to do about it, and what is left to be done outside the lock.
  @usableFromInline mutating func applyWithCare(
    _ change: B.Change, root: UInt64?, in lego: Lego<B>, _ before: inout B.Design?,
    _ after: inout B.Design?
  ) -> (Applied, Aftermath<B>?) {
    guard isOpen(to: change, root: root) else { return (.ignored, aftermath.take()) }
    if keepsBefore || hook != nil || observers?.comparesDesigns ?? false { before = design }
    let isApplied = perform(change, in: lego)
    if isApplied, let hook, let before {
      hook.note(change, number: number, root: root ?? number, before: before, after: design)
    }
    guard isApplied else { return (.ignored, aftermath.take()) }
    guard let observers else { return (.quiet, aftermath.take()) }
    let applied = handOver(change, root, in: lego, to: observers, before, &after)
    return (applied, aftermath.take())
  }

  /// Whether a change may still be applied.
  private mutating func isOpen(to change: B.Change, root: UInt64?) -> Bool {
    switch phase {
    case .open: return true
    case .closing where root != nil: return true
    case .closing, .closed:
      // What an effect sends too late is nobody's mistake.
      if root == nil { aftermath = Aftermath(problem: .closed(change)) }
      return false
    }
  }

  /// Changes the design by the rules of its parts, and ends the effects of the parts that go.
  private mutating func perform(_ change: B.Change, in lego: Lego<B>) -> Bool {
    guard follow(change, in: lego) else {
      aftermath = Aftermath(problem: .noPart(change))
      return false
    }
    number += 1
    if !watchers.isEmpty { showWatchers() }
    if !parts.isEmpty {
      var ended = EffectRegistry.Ended()
      let missing = parts.takeMissing(in: design) { id in
        lego.ledger.withRegistry { $0.contains(id) }
      }
      if parts.isEmpty { updateCare() }
      for id in missing { ended += lego.ledger.cancel(id) }
      if !ended.isEmpty { aftermath = Aftermath(ended: ended) }
    }
    if !sleepers.isEmpty { wakeSleepers() }
    return true
  }

  /// Shows each new design to one who watches, until it answers that it was the last.
  mutating func watch(_ watcher: @escaping @Sendable (B.Design) -> Bool) {
    watchers.append(watcher)
    updateCare()
  }

  private mutating func showWatchers() {
    watchers.removeAll { [design] in !$0(design) }
    if watchers.isEmpty { updateCare() }
  }

  /// Has a closure called once, after the next change.
  mutating func wake(_ sleeper: @escaping @Sendable () -> Void) {
    guard phase != .closed else { return }
    sleepers.append(sleeper)
    updateCare()
  }

  private mutating func wakeSleepers() {
    aftermath = Aftermath(ended: aftermath?.ended ?? .init(), sleepers: sleepers)
    sleepers = []
    updateCare()
  }

  /// Whether a part is the one that it was when a change was made.
  func has(_ test: PartTest<B.Design>?, in context: EffectContext) -> Bool {
    guard case .when(let isThere, _) = test else { return true }
    if parts.contains(EffectID(partAt: context.way), since: context.number) { return true }
    guard isThere(design) else { return false }
    // One of the same id may have taken its place before its change was told.
    let gap = queue.last { $0.notification.number > context.number && !isThere($0.after) }
    return gap == nil
  }

  /// Opens the scope of an effect of a part.
  ///
  /// - Returns: The scope, or `nil` when the effect is not to start.
  mutating func enter(
    _ context: EffectContext, _ test: PartTest<B.Design>?, in ledger: EffectLedger
  ) -> EffectScope? {
    guard phase != .closed, !ledger.isCancelled(context.root), context.isLive,
      has(test, in: context)
    else {
      return nil
    }
    let id = EffectID(partAt: context.way)
    if case .when(let isThere, let rosters) = test {
      parts.watch(id, since: context.number, in: design, rosters, isThere)
      if !needsCare { updateCare() }
    }
    return ledger.withRegistry { $0.open(id) }
  }
}
