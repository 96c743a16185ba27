/// Something with a descriptor that the event loop waits for.
///
/// It owns the descriptor, which stays open for as long as it lives, and at least as long as it is
/// watched.
protocol EventSource: AnyObject, Sendable {
  var descriptor: Int32 { get }
  /// What it waits for: `CLINUX_READABLE`, `CLINUX_WRITABLE` or `CLINUX_URGENT`. Errors come unasked.
  var interest: UInt32 { get }

  /// Takes what is there without waiting; called on the event loop's thread, never twice at once.
  ///
  /// - Returns: Whether it is to be watched further.
  func handle(_ events: UInt32) -> Bool
}
