internal import Synchronization

extension Lego: BuildOwner {
  func finished(_ root: UInt64) async {
    let ticket = state.withLock { $0.effects.nextNumber() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard state.isBusy(root) else { return true }
          state.waiters.append(Waiter(root: root, ticket: ticket, continuation: continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      cancel(root)
    }
  }

  func cancel(_ root: UInt64) {
    let (runs, settled) = state.withLock { state in
      state.stopAnswering(root)
      return (state.effects.end { $0.root == root }, state.takeSettledWaiters())
    }
    for run in runs { run.cancel() }
    for waiter in settled { waiter.continuation.resume() }
  }
}

extension Lego {
  /// How many effects are under way.
  public var effectCount: Int { state.withLock { $0.effects.count } }
}
