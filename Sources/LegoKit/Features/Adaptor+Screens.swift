extension Adaptor {
  /// Makes this adaptor the one of all screens of a path.
  ///
  /// The effects of a screen end in the step in which it leaves the path.
  ///
  /// - Parameters:
  ///   - place: The path.
  ///   - change: How a change of the path lies in a change of the whole.
  /// - Returns: The adaptor of the whole.
  @inlinable public func stack<Whole: Blueprint>(
    _ place: any KeyPath<Whole.Design, Stack<B.Design>> & Sendable,
    _ change: CasePath<Whole.Change, StackChange<B>>
  ) -> Adaptor<Whole> where B.Design: Identifiable, B.Design.ID: Sendable {
    Joint.screens(place, change.screen()).join(self)
  }

  /// Makes this adaptor the one of all screens that are presented.
  ///
  /// The effects of a screen end in the step in which it is dismissed.
  ///
  /// - Parameters:
  ///   - place: What is presented.
  ///   - change: How a change of what is presented lies in a change of the whole.
  /// - Returns: The adaptor of the whole.
  @inlinable public func presented<Whole: Blueprint>(
    _ place: any KeyPath<Whole.Design, Presented<B.Design>> & Sendable,
    _ change: CasePath<Whole.Change, PresentedChange<B>>
  ) -> Adaptor<Whole> where B.Design: Identifiable, B.Design.ID: Sendable {
    Joint.screens(place, change.screen()).join(self)
  }
}
