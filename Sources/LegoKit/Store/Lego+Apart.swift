internal import Synchronization

extension Lego {
  /// Applies a change if it is still wanted, and leaves it to a task to tell it.
  ///
  /// So it calls nothing of a stranger's but the blueprint, and may be used under another store's
  /// lock.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - isWanted: Whether it is still to be applied, with the number of the change before; asked
  ///     under the lock.
  /// - Returns: Its handle, or `nil` when it was not applied.
  func buildApart(_ change: B.Change, if isWanted: (UInt64) -> Bool) -> Build? {
    let overrides = overrides
    return Injection.within(overrides) {
      var before: B.Design?
      var after: B.Design?
      let step = state.withLock { state in
        guard isWanted(state.number) else {
          return nil as (LegoState<B>.Applied, Aftermath<B>?, UInt64)?
        }
        let (applied, aftermath) = state.applyWithCare(
          change, root: nil, in: self, &before, &after)
        return (applied, aftermath, state.number)
      }
      guard let (applied, aftermath, number) = step else { return nil }
      if case .quiet = applied, aftermath == nil,
        !tracker.isWaitedFor.load(ordering: .acquiring)
      {
        return Build(number: number, owner: self)
      }
      // Where the turn was free, the task has it until it has told the change.
      Task.detached(name: "\(B.self)") { [before, after] in
        Injection.within(overrides) {
          if let aftermath { self.settle(aftermath) }
          if self.tracker.isWaitedFor.load(ordering: .acquiring) { self.notifyTrackers() }
          self.finish(applied, change, number: number, root: number, before, after)
        }
      }
      return Build(number: number, owner: self)
    }
  }
}

extension Lego {
  /// The design, and the number of the change that made it.
  var snapshot: (number: UInt64, design: B.Design) {
    state.withLock { ($0.number, $0.design) }
  }
}
