internal import Synchronization

extension Lego {
  /// Closes the store: its adaptors finish what they must, then everything ends.
  ///
  /// From the call on, builds are reported to the ``Contractors/problemSink`` and ignored. Each
  /// adaptor's ``Adaptor/closing(_:)`` is called once, and its effect runs to its end, together
  /// with everything that it causes. Other effects continue during that time. Then all effects are
  /// cancelled, all changes are delivered, the work of ``Adaptor/ended(_:)`` is done, and the
  /// sequences of the observers finish. The design can still be read.
  ///
  /// The call returns when all that is done, even if several callers close the store at the same
  /// time. Cancelling the calling task does not stop it. If an effect of an adaptor might never
  /// end, give it a ``Effect/timeout(after:sending:)``.
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
    // The thread that delivers asks the adaptors, as after a change, because they may build.
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
    // No change can follow, so this waits until the queue is empty.
    await finished(Self.closingRoot)
    for work in adaptors.ended(state.withLock { $0.design }) { await work() }
    // The closures are freed outside the lock.
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

  /// The build that the last effects belong to.
  ///
  /// No change has this number.
  private static var closingRoot: UInt64 { .max }
}
