internal import Synchronization

extension Lego: BuildOwner {
  @usableFromInline func finished(_ root: UInt64) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(root: root, continuation: continuation)
        state.withLock { $0.add(waiter) }
        hasWaiters.store(true, ordering: .sequentiallyConsistent)
        // It may be over already, and then nobody else would look.
        resumeWaiters()
      }
    } onCancel: {
      cancel(root)
    }
  }

  @usableFromInline func cancel(_ root: UInt64) {
    let ended = state.withLock { state in
      state.stopAnswering(root)
      return state.effects.cancel(root: root)
    }
    settle(ended, isContinuing: false)
  }
}

extension Lego {
  /// How many effects are under way.
  public var effectCount: Int { state.withLock { $0.effects.count } }

  /// Cancels every effect with this id: those that run, wait or are to follow.
  ///
  /// When it returns, nothing of them is applied any more.
  public func cancel(id: some Hashable & Sendable) {
    cancel(EffectID(id))
    cancel(EffectID(id, use: .pause))
  }
}
