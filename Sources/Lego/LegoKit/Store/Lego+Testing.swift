internal import Synchronization

/// A hook through which a test receives each change as the store applies it.
@usableFromInline package struct ChangeHook<B: Blueprint>: Sendable {
  /// A change that was applied.
  package struct Step: Sendable {
    /// The change.
    package let change: B.Change
    /// The change's number in its store, starting at 1.
    package let number: UInt64
    /// The change's own number if it is a build; otherwise, the root of the effect that sent it.
    ///
    /// See ``EffectContext/root``.
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
  /// Called outside the store's lock, each time a change is delivered.
  ///
  /// The argument cancels the effects of the build with the given number. For 0, it calls
  /// ``Lego/endFollows()``.
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
  /// The numbers and roots of the running effects, in the order in which they were started.
  package var runningEffects: [(number: UInt64, root: UInt64)] {
    state.withLock { $0.effects.runs }
  }

  /// A Boolean value that indicates whether all changes have been delivered and all effects have
  /// ended.
  package var isIdle: Bool {
    state.withLock { $0.queue.isEmpty && $0.delivery.thread == nil && $0.effects.isEmpty }
  }

  /// A Boolean value that indicates whether the store does nothing until an effect sends a change
  /// or ends.
  package var isSettled: Bool {
    state.withLock { $0.queue.isEmpty && $0.delivery.thread == nil && $0.effects.isSettled }
  }

  /// Returns an observer that wakes a hook each time a change is delivered.
  func wakingObserver(of hook: ChangeHook<B>) -> Observer<B> {
    Observer(change: { [weak self] _ in
      hook.wake { root in root == 0 ? self?.endFollows() : self?.cancel(root) }
    })
  }

  /// Ends the ``Adaptor/follows`` of all adaptors, and cancels all effects whose root is 0.
  ///
  /// If another thread is delivering a change from such an effect during the call, the adaptors may
  /// still be called with that change. The effects that they return do not start.
  package func endFollows() {
    let followings = state.withLock { state in
      defer { state.followings = [] }
      return state.followings
    }
    for following in followings { end(following) }
    cancel(0)
  }
}
