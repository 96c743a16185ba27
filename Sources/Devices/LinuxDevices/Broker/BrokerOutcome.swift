/// The outcome of a request to a broker.
///
/// The associated texts may contain output of other programs.
public enum BrokerOutcome: Hashable, Sendable {
  /// The device was opened.
  case granted
  /// polkit denied the request: the user is not authorized or failed to authenticate.
  case refused
  /// The user dismissed the dialog.
  case dismissed
  /// The broker does not open the object, for the given reason.
  case unsuitable(String)
  /// No broker, polkit or polkit agent is available, for the given reason.
  case absent(String)
  /// No response arrived in time.
  case timedOut
  /// The caller's task was cancelled.
  case cancelled
  /// The request failed, or the response was not valid, for the given reason.
  case failed(String)
}
