/// How a request to a broker ended.
///
/// The texts may hold what another program wrote.
public enum BrokerOutcome: Hashable, Sendable {
  /// The device is open.
  case granted
  /// polkit said no: the person may not, or did not authenticate.
  case refused
  /// The person took the dialog away.
  case dismissed
  /// The broker does not open this object, because of this.
  case unsuitable(String)
  /// There is no broker, or nobody that it could ask, because of this.
  case absent(String)
  /// No answer came in time.
  case timedOut
  /// The caller's task was cancelled.
  case cancelled
  /// The broker or polkit ended, failed or answered nonsense.
  case failed(String)
}
