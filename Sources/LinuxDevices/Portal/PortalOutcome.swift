/// How a request to a portal of the desktop ended.
///
/// The texts may hold what another program wrote.
public enum PortalOutcome: Hashable, Sendable {
  /// The portal gave what was asked for: a connection to PipeWire for the camera, or chosen files.
  case granted
  /// The portal said no (`Response` 1): in its dialog, or because of a stored answer. A dialog for files
  /// was closed.
  case refused
  /// The dialog ended without an answer (`Response` 2).
  case interrupted
  /// The settings of the desktop forbid cameras (`disable-camera` of Lockdown).
  case forbidden
  /// The portal said yes and does not hand the connection over, as with a stored `ask`.
  case withheld
  /// There is no such portal, because of this.
  case absent(String)
  /// No answer came in time.
  case timedOut
  /// The caller's task was cancelled.
  case cancelled
  /// The portal ended, failed or answered nonsense.
  case failed(String)
}
