internal import Synchronization

/// Receives each change of a store as it is applied, for the store under test.
@usableFromInline package struct ChangeHook<B: Blueprint>: Sendable {
  /// A change that was applied.
  package struct Step: Sendable {
    /// The change.
    package let change: B.Change
    /// The change's number in its store, starting at 1.
    package let number: UInt64
    /// The number of the build that caused it, or 0 for an effect that follows from the design.
    ///
    /// For a build, it is the change's own number.
    package let root: UInt64
    /// The design before the change.
    package let before: B.Design
    /// The design after the change.
    package let after: B.Design
  }

  /// Records a change.
  ///
  /// It is called under the store's lock, in the order of the changes.
  private let note: @Sendable (Step) -> Void
  /// Called outside every lock after one or more changes were recorded.
  ///
  /// The argument cancels a build, or for 0 the effects that follow from the design.
  let wake: @Sendable (_ cancel: (UInt64) -> Void) -> Void

  /// Creates a hook.
  package init(
    note: @escaping @Sendable (Step) -> Void,
    wake: @escaping @Sendable (_ cancel: (UInt64) -> Void) -> Void
  ) {
    self.note = note
    self.wake = wake
  }

  @usableFromInline func note(
    _ change: B.Change, number: UInt64, root: UInt64, before: B.Design, after: B.Design
  ) {
    note(Step(change: change, number: number, root: root, before: before, after: after))
  }
}

extension Lego {
  /// The numbers of the running effects and of their builds, in the order of their starts.
  ///
  /// An effect that follows from the design belongs to build 0.
  package var runningEffects: [(number: UInt64, root: UInt64)] {
    state.withLock { $0.effects.runs }
  }

  /// A Boolean value that indicates whether nothing is under way that could apply a change.
  package var isIdle: Bool {
    state.withLock { $0.queue.isEmpty && $0.delivery.thread == nil && $0.effects.isEmpty }
  }

  /// A Boolean value that indicates whether nothing happens until an effect sends or ends.
  package var isSettled: Bool {
    state.withLock { $0.queue.isEmpty && $0.delivery.thread == nil && $0.effects.isSettled }
  }

  /// An observer that wakes a hook after each change.
  func wakingObserver(of hook: ChangeHook<B>) -> Observer<B> {
    Observer(change: { [weak self] _ in
      hook.wake { root in root == 0 ? self?.endFollows() : self?.cancel(root) }
    })
  }

  /// Ends the adaptors' effects that follow from the design, and everything that they caused.
  ///
  /// If another thread is delivering a change of theirs during the call, an adaptor may still
  /// answer it. A second call ends that answer.
  package func endFollows() {
    let followings = state.withLock { state in
      defer { state.followings = [] }
      return state.followings
    }
    for following in followings { end(following) }
    cancel(0)
  }
}
