/// Effects that are still to start, whose changes only their store knows.
@usableFromInline protocol EffectStart: Sendable {
  /// Starts them.
  ///
  /// - Returns: Whether there was anything to start, and a store to start it in.
  func start(in context: EffectContext) -> Bool
}
