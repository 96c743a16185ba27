/// What a keeper may do with the value in its store.
struct KeeperLink<Value: Equatable & Sendable>: Sendable {
  /// The value now; `nil` when the store is gone.
  let value: @Sendable () -> Value?
  /// Tells the store what another program has saved, if that is wanted.
  ///
  /// The answer is whether the store took it; it does not when it is ending.
  let arrive: (@Sendable (KeptArrival<Value>) -> Bool)?
  /// Calls a closure after the next change.
  let onNextChange: @Sendable (@escaping @Sendable () -> Void) -> Void
}
