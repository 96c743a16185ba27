public import Synchronization

// Most builds meet nobody: no other thread, and no other change that waits. Such a build tells its
// change itself. It has to keep the observers alive meanwhile, since another thread may replace
// them. To count a reference up and down for that takes as long as all the rest of the build. So the
// observers are lent: moved out of the state when the change is applied, and back when it was told.
extension LegoState {
  /// How the telling of a change to lent observers has ended.
  @usableFromInline enum LoanEnd: Sendable {
    /// The turn is free.
    case free
    /// The same, and somebody waits for a build.
    case awaited
    /// Changes wait to be told by the one who has the turn.
    case wanted
  }

  /// Finds out whether observers can be lent, after they or what has to be seen to have changed.
  mutating func updateLending() {
    isLending = observers != nil && !needsCare
    lendable = isLending ? observers : nil
    lending.isPossible.store(!needsCare, ordering: .relaxed)
  }

  /// Applies a change, takes the turn to tell it, and lends the observers for that.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - lego: The store.
  ///   - lent: Becomes those to be told.
  ///   - number: Becomes the change's number, unless it is not applied, because the turn is
  ///     another's, the rules refuse it, or more has to be seen to.
  ///   - before: Becomes the design before, if someone wants to compare.
  /// - Returns: The design after, or `nil` when there is nothing to tell.
  @inlinable @inline(__always) mutating func applyAndLend(
    _ change: B.Change, in lego: Lego<B>, _ lent: inout ObserverList?, _ number: inout UInt64,
    _ before: inout B.Design?
  ) -> B.Design? {
    guard lendable != nil else {
      if observers == nil, !needsCare, follow(change, in: lego) {
        self.number &+= 1
        number = self.number
      }
      return nil
    }
    guard !lego.turn.isTaken else { return nil }
    if keepsBefore || lendable?.comparesDesigns ?? false { before = design }
    guard follow(change, in: lego) else { return nil }
    swap(&lendable, &lent)
    lego.turn.begin()
    self.number &+= 1
    number = self.number
    tellers.beginTurn(on: .current)
    lego.ledger.beginTelling(number)
    return design
  }

  /// Takes back what was lent, and gives the turn up unless changes wait.
  ///
  /// - Parameters:
  ///   - observers: What was lent; left behind when the store has others by now, to be freed outside
  ///     the lock.
  ///   - lego: The store.
  /// - Returns: What is left to be done.
  @inlinable @inline(__always) mutating func takeBack(
    _ observers: inout ObserverList?, in lego: Lego<B>
  ) -> LoanEnd {
    if isLending, lendable == nil { swap(&lendable, &observers) }
    lego.ledger.endTelling()
    guard lego.turn.endLocked() else { return .wanted }
    return lego.ledger.hasWaiters.load(ordering: .relaxed) ? .awaited : .free
  }
}
