public import Synchronization

extension Lego {
  /// Tells everyone of a change, has the adaptors answer it, and does the same with the answer that
  /// one of them had ready, as long as nothing else waits to be told.
  @inlinable func notify(
    _ observers: LegoState<B>.ObserverList, _ notification: ChangeNotification<B.Change>,
    _ before: B.Design?, _ after: B.Design, _ runaway: inout RunawayGuard<B.Change>
  ) {
    if isPlain { return observers.notify(notification, before, after) }
    var ready: LegoState<B>.ReadyAnswer?
    notify(observers, notification, before, after, &ready)
    while let answer = ready.take() {
      var notification = ChangeNotification(
        answer.change, number: answer.number, root: notification.root)
      if runaway.isSuspicious() { report(runaway.collect(notification)) }
      if ledger.isCancelled(notification.root) { notification.isAnswered = false }
      notify(observers, notification, answer.before, answer.after, &ready)
    }
  }

  /// Tells everyone of a change, and has the adaptors answer it.
  @inlinable func notify(
    _ observers: LegoState<B>.ObserverList, _ notification: ChangeNotification<B.Change>,
    _ before: B.Design?, _ after: B.Design, _ ready: inout LegoState<B>.ReadyAnswer?
  ) {
    if let tracer { tracer.applied(notification) }
    observers.notify(notification, before, after)
    if adaptors.count > 0, notification.isAnswered {
      answer(notification, before, after, observers, &ready)
    }
    if let tracer { tracer.told(notification.number) }
  }

  @inlinable func answer(
    _ notification: ChangeNotification<B.Change>, _ before: B.Design?, _ design: B.Design,
    _ observers: LegoState<B>.ObserverList, _ ready: inout LegoState<B>.ReadyAnswer?
  ) {
    for index in 0..<adaptors.count {
      let (publisher, effect) = adaptors.answer(index, before, design, notification.change)
      take(publisher, effect, of: notification, observers, &ready)
    }
  }

  /// Applies what an adaptor had ready, and starts the rest of its answer.
  @inlinable @inline(__always) func take(
    _ publisher: AnyPublisher<B.Change, Never>, _ effect: Effect<B.Change>,
    of notification: ChangeNotification<B.Change>, _ observers: LegoState<B>.ObserverList,
    _ ready: inout LegoState<B>.ReadyAnswer?
  ) {
    if let change = publisher.readyValue {
      buildReady(change, root: notification.root, observers, &ready)
    } else if !publisher.isKnownEmpty {
      start(Effect(.publisher(publisher)), for: notification)
    }
    if let change = effect.readyValue {
      buildReady(change, root: notification.root, observers, &ready)
    } else if !effect.isNone {
      start(effect, for: notification)
    }
  }

  /// Applies the only change of an adaptor that had its answer ready.
  ///
  /// It is called while a change is told, so that this one is told later: by the caller, when it
  /// becomes `ready`, else from the queue.
  @inlinable func buildReady(
    _ change: B.Change, root: UInt64, _ observers: LegoState<B>.ObserverList,
    _ ready: inout LegoState<B>.ReadyAnswer?
  ) {
    var isReady = false
    if ready == nil {
      ready = state.withLock { state in
        ledger.isCancelled(root) ? nil : state.applyReady(change, observers, in: self)
      }
      isReady = ready != nil
    }
    if !isReady, !queueReady(change, root: root) { return }
    if tracker.isWaitedFor.load(ordering: .acquiring) { notifyTrackers() }
  }

  /// Applies the change, and leaves it to the queue to have it told.
  ///
  /// - Returns: Whether readers of the design have still to be told of it.
  @inlinable @inline(never) func queueReady(_ change: B.Change, root: UInt64) -> Bool {
    var before: B.Design?
    var after: B.Design?
    let applied: LegoState<B>.Applied = state.withLock { state in
      if ledger.isCancelled(root) { return .ignored }
      return state.apply(change, root: root, in: self, &before, &after)
    }
    guard case .careful = applied else { return true }
    _ = buildCarefully(change, root: root) { _ in true }
    return false
  }
}
