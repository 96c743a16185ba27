/// The outcome of a request to a desktop portal.
///
/// The associated strings may contain text that another program wrote.
public enum PortalOutcome: Hashable, Sendable {
  /// The portal granted the request and returned a PipeWire connection or the chosen files.
  case granted
  /// The portal refused the request (`Response` 1).
  ///
  /// The user declined or closed the dialog, or the stored answer is `no`.
  case refused
  /// The dialog ended without an answer (`Response` 2).
  case interrupted
  /// The desktop's lockdown settings disable cameras (`disable-camera`).
  case forbidden
  /// The portal granted the request but did not return a connection, as with a stored `ask`.
  case withheld
  /// The portal is not available, for the given reason.
  case absent(String)
  /// The request timed out.
  case timedOut
  /// The caller's task was cancelled.
  case cancelled
  /// The portal exited, failed or sent an invalid reply.
  case failed(String)
}
