/// Sees each change of a store as it is applied, for the store under test.
package struct ChangeHook<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  /// A change that was applied.
  package struct Step: Sendable {
    /// The change.
    package let change: Change
    /// The change's number in its store, starting at 1.
    package let number: UInt64
    /// The number of the build that caused it, which is its own for a build; 0 for a follow.
    package let root: UInt64
    /// The design just before it.
    package let before: Design
    /// The design just after it.
    package let after: Design
  }

  /// Takes note of a change.
  ///
  /// It is called under the store's lock, in the order in which changes are applied, so that it
  /// must do nothing but take note.
  private let note: @Sendable (Step) -> Void
  /// Called outside every lock after one or more changes were noted.
  ///
  /// The closure that it gets cancels what a build caused, or for 0 the follows.
  let wake: @Sendable (_ cancel: (UInt64) -> Void) -> Void

  /// Creates a hook.
  package init(
    note: @escaping @Sendable (Step) -> Void,
    wake: @escaping @Sendable (_ cancel: (UInt64) -> Void) -> Void
  ) {
    self.note = note
    self.wake = wake
  }

  /// Passes a change on; called under the store's lock.
  func note(
    _ change: Change, number: UInt64, root: UInt64, before: Design, after: Design
  ) {
    note(Step(change: change, number: number, root: root, before: before, after: after))
  }
}
