/// Effects that are still to start, whose changes only their store knows.
///
/// It holds a closure, which is compiled for the types of the store where these are known; a protocol's
/// method would be compiled for any.
@usableFromInline struct EffectStart: Sendable {
  private let body: @Sendable (EffectContext) -> Bool

  @usableFromInline init(_ body: @escaping @Sendable (EffectContext) -> Bool) {
    self.body = body
  }

  /// Starts them.
  ///
  /// - Returns: Whether there was anything to start, and a store to start it in.
  func start(in context: EffectContext) -> Bool { body(context) }
}
