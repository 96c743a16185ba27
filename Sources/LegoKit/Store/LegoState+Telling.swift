extension LegoState {
  /// What its builder has to do about a change that was applied.
  @usableFromInline enum Applied: Sendable {
    /// Nothing: nobody listens.
    case quiet
    /// It tells the change.
    case tell(ObserverList)
    /// The change is in the queue.
    case queued(Tellers.Arrival)
    /// Nothing was done: more has to be seen to than the rules, or these refuse the change.
    case careful
    /// The change was not applied.
    case ignored
  }

  /// Applies a change, where the rules are all that has to be seen to.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - root: The build that caused it, or `nil` when it is a build of its own.
  ///   - lego: The store.
  ///   - before: Becomes the design before, if someone wants to compare.
  ///   - after: Becomes the design after.
  /// - Returns: What to do about it.
  @inlinable mutating func apply(
    _ change: B.Change, root: UInt64?, in lego: Lego<B>,
    _ before: inout B.Design?, _ after: inout B.Design?
  ) -> Applied {
    if needsCare { return .careful }
    if keepsBefore || observers?.comparesDesigns ?? false { before = design }
    guard follow(change, in: lego) else { return .careful }
    number += 1
    guard let observers else { return .quiet }
    return handOver(change, root, in: lego, to: observers, before, &after)
  }

  /// Changes the design by the rules.
  ///
  /// - Returns: Whether the change was applied; else it is one of a part that is not there.
  @inlinable @inline(__always) mutating func follow(_ change: B.Change, in lego: Lego<B>) -> Bool {
    if let rules { return rules(&design, change) }
    lego.blueprint.change(&design, on: change)
    return true
  }

  /// Notes that a change was applied, and finds who tells it.
  @inlinable @inline(__always) mutating func handOver(
    _ change: B.Change, _ root: UInt64?, in lego: Lego<B>, to observers: ObserverList,
    _ before: B.Design?, _ after: inout B.Design?
  ) -> Applied {
    let thread = ThreadID.current
    if lego.turn.take() {
      after = design
      tellers.beginTurn(on: thread)
      lego.ledger.beginTelling(root ?? number)
      return .tell(observers)
    }
    let overrides = lego.overrides
    let isFree = lego.turn.want()
    // The one that told has just ended.
    if isFree { tellers.beginTurn(on: thread) }
    let origin = tellers.origin(from: thread)
    let notification = ChangeNotification(change, number: number, root: root ?? number)
    queue.append(
      Record(notification, before, design, observers, overrides, origin, term: tellers.term))
    lego.ledger.noteQueued(number, root: root ?? number)
    return .queued(isFree ? .tell : tellers.arrive(from: thread, count: queue.count))
  }

  /// Whether someone waits until every change is told, so that the teller has to look once more.
  @usableFromInline var isAwaitedIdle: Bool { idle != nil }

  /// Takes who waits until every change is told.
  @usableFromInline mutating func takeIdle() -> WaitingTask? { idle.take() }

  /// The next change to tell.
  ///
  /// - Parameters:
  ///   - way: What the teller needs to know beside the change.
  ///   - lego: The store.
  /// - Returns: The change, or `nil` when there is none now, or none for this teller.
  @inlinable mutating func next(_ way: inout TellersWay, in lego: Lego<B>) -> Record? {
    tellers.resumeTurn(on: .current)
    if tellers.hasSeenOthers, let first = queue.first,
      !tellers.mayTell(first.origin, of: first.term, &way.share)
    {
      way.successor = tellers.passOn()
      return nil
    }
    guard var record = queue.popFirst() else {
      lego.turn.clear()
      way.idle = takeIdle()
      return nil
    }
    lego.ledger.noteDequeued(record.notification.number, root: record.notification.root)
    if !cancelled.isEmpty { passOver(&record) }
    tellers.tell(record.origin, of: record.term, leaving: queue.count, &way.waking)
    if queue.isEmpty, !queuedRoots.isEmpty { queuedRoots = QueuedRoots() }
    if queue.isEmpty, !isAwaitedIdle {
      // What comes from here on says so.
      lego.turn.clear()
      tellers.forgetOthers()
    }
    return record
  }
}
