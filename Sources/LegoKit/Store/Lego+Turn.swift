public import Synchronization

extension Lego {
  /// Applies a change where others may build or more has to be seen to.
  @inlinable @inline(never) func buildBesideOthers(_ change: B.Change) -> UInt64 {
    var number: UInt64 = 0
    var before: B.Design?
    var after: B.Design?
    let applied = state.withLock { state in
      let applied = state.apply(change, root: nil, in: self, &before, &after)
      number = state.number
      return applied
    }
    if case .careful = applied { return buildCarefully(change, root: nil) { _ in true } }
    if tracker.isWaitedFor.load(ordering: .acquiring) { notifyTrackers() }
    finish(applied, change, number: number, root: number, before, after)
    return number
  }

  /// Tells a change to adaptors and observers of all kinds, which are lent for it.
  @inlinable @inline(never) func tell(
    _ change: B.Change, number: UInt64, to observers: consuming LegoState<B>.ObserverList,
    _ before: B.Design?, _ after: B.Design
  ) {
    var runaway = RunawayGuard<B.Change>(limit: runawayLimit)
    notify(
      observers, ChangeNotification(change, number: number, root: number), before, after,
      &runaway)
    if !giveBack(consume observers, after: number) {
      tellQueue(after: number, &runaway, TellersWay())
    }
  }

  /// Gives back what was lent, and with it the turn.
  ///
  /// - Returns: Whether nothing waits to be told; else the turn is still the caller's.
  @inlinable @inline(__always) func giveBack(
    _ observers: consuming LegoState<B>.ObserverList?, after root: UInt64
  ) -> Bool {
    var lent = consume observers
    let end = state.withLock { $0.takeBack(&lent, in: self) }
    // Freed here, and thus not at all where it was taken back: that would be a call of its own.
    if lent != nil { lent = nil }
    switch end {
    case .free:
      return true
    case .awaited:
      ledger.resumeWaiters(of: root)
      return true
    case .wanted:
      return false
    }
  }

  /// Does what its builder has to do about a change that was applied.
  @inlinable func finish(
    _ applied: LegoState<B>.Applied, _ change: B.Change, number: UInt64, root: UInt64,
    _ before: B.Design?, _ after: B.Design?
  ) {
    switch applied {
    case .quiet, .ignored, .careful:
      return
    case .tell(let observers):
      guard let after else { return }
      var runaway = RunawayGuard<B.Change>(limit: runawayLimit)
      notify(
        observers, ChangeNotification(change, number: number, root: root), before, after, &runaway)
      endTelling(root, &runaway)
    case .queued(let arrival):
      arrive(arrival)
    }
  }

  /// Gives the turn up after a change, or tells what has come meanwhile.
  @inlinable func endTelling(_ root: UInt64, _ runaway: inout RunawayGuard<B.Change>) {
    ledger.endTelling()
    if !turn.end() { return tellQueue(after: root, &runaway, TellersWay()) }
    resumeWaiters(after: root)
  }
}
