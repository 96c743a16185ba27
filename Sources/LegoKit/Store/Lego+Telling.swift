public import Synchronization

extension Lego {
  /// Does what a builder has to do whose change is in the queue.
  @inlinable func arrive(_ arrival: Tellers.Arrival) {
    switch arrival {
    case .leave: break
    case .tell: tellQueue()
    case .wait(let builder):
      let start = ContinuousClock.now
      guard builder.wait() else { return }
      var runaway = RunawayGuard<B.Change>(limit: runawayLimit)
      tellQueue(after: 0, &runaway, TellersWay(after: .now - start))
    }
  }

  /// Tells what is in the queue, until none is left or the rest is another's.
  ///
  /// - Parameter root: The build that caused the change told last; zero when none was told.
  @inlinable @inline(never) func tellQueue(after root: UInt64 = 0) {
    var runaway = RunawayGuard<B.Change>(limit: runawayLimit)
    tellQueue(after: root, &runaway, TellersWay())
  }

  /// Tells what is in the queue, until none is left or the rest is another's.
  ///
  /// - Parameters:
  ///   - root: The build that caused the change told last; zero when none was told.
  ///   - runaway: Counts the changes that follow from one another.
  ///   - start: What the teller goes by at first.
  @inlinable @inline(never) func tellQueue(
    after root: UInt64, _ runaway: inout RunawayGuard<B.Change>, _ start: TellersWay
  ) {
    var way = start
    var last = root
    while true {
      guard let record = state.withLock({ $0.next(&way, in: self) }) else {
        if let successor = way.successor {
          passOn(to: successor)
          return resumeWaiters(after: last)
        }
        let idle = way.idle.take()
        let isOver = turn.end()
        // Whoever waited for that finds the turn free.
        idle?.resume()
        if isOver { return resumeWaiters(after: last) }
        continue
      }
      way.wake()
      if last != record.notification.root { resumeWaiters(after: last) }
      last = record.notification.root
      tell(record, &runaway)
      ledger.endTelling()
      if runaway.isSuspicious() { report(runaway.collect(record.notification)) }
      if turn.end() { return resumeWaiters(after: last) }
    }
  }

  @inlinable func resumeWaiters(after root: UInt64) {
    if ledger.hasWaiters.load(ordering: .sequentiallyConsistent) { ledger.resumeWaiters(of: root) }
  }

  /// Tells a change from the queue under its own overrides.
  @inlinable func tell(_ record: LegoState<B>.Record, _ runaway: inout RunawayGuard<B.Change>) {
    Injection.within(record.overrides) {
      notify(record.observers, record.notification, record.before, record.after, &runaway)
    }
  }

  @inlinable func passOn(to successor: Tellers.Successor) {
    switch successor {
    case .builder(let builder): builder.wake()
    case .anyone: break
    case .helper: startHelper()
    }
  }

  /// Starts the store's own task, which tells what nobody else does.
  @inlinable func startHelper() {
    Task.detached(name: "\(B.self)") { [self] in
      while state.withLock({ $0.tellers.takeOffered() }) {
        tellQueue()
        await Task.yield()
      }
    }
  }
}
