/// An object whose descriptor the event loop waits for.
///
/// The object owns the descriptor, and must keep it open while the source is watched.
protocol EventSource: AnyObject, Sendable {
  var descriptor: Int32 { get }
  /// The events to wait for: `CLINUX_READABLE`, `CLINUX_WRITABLE` or `CLINUX_URGENT`.
  ///
  /// Errors are always reported.
  var interest: UInt32 { get }

  /// Handles the events without blocking.
  ///
  /// The event loop calls it on its thread, one call at a time.
  ///
  /// - Returns: `true` to continue watching the source.
  func handle(_ events: UInt32) -> Bool
}
