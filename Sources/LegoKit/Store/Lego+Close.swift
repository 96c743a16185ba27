internal import Synchronization

extension Lego {
  /// Closes the store: its adaptors finish what they owe, then everything ends.
  ///
  /// From the call on, a build is reported to the ``Contractors/problemSink`` and ignored. Every
  /// adaptor is asked once what it owes (``Adaptor/closing(_:)``), and its effect runs to its end,
  /// with all that it causes; other effects go on meanwhile. Then all effects are cancelled,
  /// nothing is followed any more, what was applied is told to the end, what remains to be done
  /// with the last design is done (``Adaptor/ended(_:)``), and the sequences of the observers
  /// finish. The design can still be read.
  ///
  /// It returns when all that is over, also to those who call it at the same time or again.
  /// Cancelling the task that calls it does not stop it. An effect that may never end keeps it
  /// waiting; give it a ``Effect/timeout(after:sending:)``.
  public func close() async {
    let closing = state.withLock { state in
      if let closing = state.closing { return closing }
      state.phase = .closing
      state.updateCare()
      let closing = Task(name: "close \(B.self)") { await finishAndEnd() }
      state.closing = closing
      return closing
    }
    await closing.value
  }

  private func finishAndEnd() async {
    let (design, number) = state.withLock { ($0.design, $0.number) }
    let context = EffectContext(root: Self.closingRoot, number: number, overrides: overrides)
    start(.merge(adaptors.closing(design)), in: context)
    await finished(Self.closingRoot)

    let ended = state.withLock { state in
      state.phase = .closed
      return ledger.close()
    }
    ledger.settle(ended, isContinuing: false)
    await toldAll()
    for work in adaptors.ended(state.withLock { $0.design }) { await work() }
    let observers = state.withLock { state in
      defer {
        (state.observers, state.followings, state.watchers, state.sleepers) = (nil, [], [], [])
        state.updateCare()
      }
      return state.observers
    }
    for observer in observers?.all ?? [] {
      observer.cancel()
      observer.end?()
    }
  }

  /// The build that the last effects belong to, which is no change's.
  private static var closingRoot: UInt64 { .max }

  /// Waits until every change is told.
  private func toldAll() async {
    await withCheckedContinuation { continuation in
      let isTeller = state.withLock { state in
        state.idle = WaitingTask(continuation)
        // Whoever tells looks at the queue once more.
        return turn.want()
      }
      if isTeller { tellQueue() }
    }
  }
}
