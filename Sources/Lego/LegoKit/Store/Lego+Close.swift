internal import Synchronization

extension Lego {
  /// Closes the store after the closing effects of its adaptors have ended.
  ///
  /// The store is closed in these steps:
  ///
  /// 1. Builds are refused: from now on, they are reported to the ``Contractors/problemSink`` and
  ///    ignored.
  /// 2. The effects that ``Adaptor/closing(_:)`` returns run until they end, along with everything
  ///    that they cause. Other effects continue meanwhile.
  /// 3. All remaining effects are cancelled, and the changes in the queue are delivered.
  /// 4. The work that ``Adaptor/ended(_:)`` returns is performed.
  /// 5. Observers are removed, and their sequences end.
  ///
  /// The design can still be read afterwards.
  ///
  /// The call returns after the last step. If several tasks close the store, all of their calls
  /// return at that point. Cancelling the calling task has no effect. If an effect of an adaptor
  /// might never end, give it a ``Effect/timeout(after:sending:)``.
  public func close() async {
    let closing = state.withLock { state in
      if let closing = state.closing { return closing }
      state.phase = .closing
      let closing = Task(name: "close \(B.self)") { await finishAndEnd() }
      state.closing = closing
      return closing
    }
    await closing.value
  }

  private func finishAndEnd() async {
    // The adaptors are called during a delivery, just as they are after a change. They may send
    // changes through a `StoreLink`. Such a change must be queued, because its delivery calls the
    // adaptors again.
    add(
      Observer<B>(start: { [self] record in
        let context = EffectContext(
          root: Self.closingRoot, number: record.number, overrides: overrides)
        for effect in adaptors.closing(record.after) { start(effect, in: context) }
      }))
    await finished(Self.closingRoot)

    let ended = state.withLock { state in
      state.phase = .closed
      return state.effects.close()
    }
    finishCancelling(ended, isContinuing: false)
    // No more changes can be added, so this waits until the queue has been delivered.
    await finished(Self.closingRoot)
    for work in adaptors.ended(state.withLock { $0.design }) { await work() }
    // The closures are kept here so that they are freed outside the lock.
    let old = state.withLock { state in
      defer {
        (state.observers, state.followings, state.scopes, state.wakers) = ([], [], [], [])
      }
      return (observers: state.observers, others: (state.followings, state.scopes, state.wakers))
    }
    for observer in old.observers {
      observer.cancel()
      observer.end?()
    }
    withExtendedLifetime(old.others) {}
  }

  /// The root of the effects that ``Adaptor/closing(_:)`` returns.
  ///
  /// No change has this number, so the effects belong to no build.
  private static var closingRoot: UInt64 { .max }
}
