/// An adaptor that has the design before a change beside the one after it.
///
/// A store keeps the design before a change only where an adaptor of this kind, or an observer,
/// compares the two.
open class ComparingAdaptor<B: Blueprint>: Adaptor<B> {
  /// Answers a change with an effect.
  ///
  /// - Parameters:
  ///   - before: The design that the change was applied to.
  ///   - after: The design as the change left it.
  ///   - change: The change.
  /// - Returns: An effect, which starts at once. The default is that of ``Adaptor/effect(_:on:)``.
  open func effect(
    from before: B.Design, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    effect(after, on: change)
  }

  override final func answer(
    from before: B.Design?, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    effect(from: before ?? after, to: after, on: change)
  }

  override final var comparesDesigns: Bool { true }
}
