internal import Synchronization

// What the store under test asks of the store within it.
extension Lego {
  /// The numbers of the running effects, each with the build that caused it, in the order in which
  /// they started; an effect that follows from the design belongs to build 0.
  package var runningEffects: [(number: UInt64, root: UInt64)] {
    ledger.withRegistry { $0.runs }
  }

  /// Whether nothing is under way that could apply a change.
  package var isIdle: Bool {
    state.withLock { $0.queue.isEmpty } && ledger.withRegistry { $0.isEmpty } && !turn.isTaken
  }

  /// Whether no change is being told and no end of an effect is being followed up.
  ///
  /// Effects may run meanwhile: nothing more happens until one of them sends or ends.
  package var isSettled: Bool {
    state.withLock { $0.queue.isEmpty } && ledger.withRegistry { $0.isSettled } && !turn.isTaken
  }

  /// Has a hook woken for each change, from the first on.
  func wake(_ hook: ChangeHook<B.Design, B.Change>) {
    add(
      Observer(change: { [weak self] _, _, _ in
        hook.wake { root in root == 0 ? self?.endFollows() : self?.cancel(root) }
      }))
  }

  /// Ends the adaptors' effects that follow from the design and all that these have caused, and
  /// starts none of them again.
  ///
  /// An adaptor's answer to a change of theirs, which is being told meanwhile on another thread, is
  /// ended by a second call.
  package func endFollows() {
    let followings = state.withLock { state in
      defer { state.followings = [] }
      return state.followings
    }
    for following in followings { end(following) }
    cancel(0)
  }
}
