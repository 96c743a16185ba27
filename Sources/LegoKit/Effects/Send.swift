/// Sends changes from a running effect into its store.
///
/// What is sent after the effect was cancelled, or after it has ended, is ignored.
public struct Send<Change: Equatable & Sendable>: Sendable {
  @usableFromInline let body: @Sendable (Change) -> Void

  /// Creates a sender from a closure, for effects that are run by hand.
  @inlinable public init(_ body: @escaping @Sendable (Change) -> Void) {
    self.body = body
  }

  /// Sends a change; it is applied when this returns.
  @inlinable public func callAsFunction(_ change: Change) {
    body(change)
  }
}
