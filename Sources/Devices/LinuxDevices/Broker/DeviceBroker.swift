/// A privileged helper that opens devices for users whom the administrator has authorized.
public protocol DeviceBroker: Sendable {
  /// A Boolean value that indicates whether the helper is available.
  ///
  /// Reading it does not start the helper. It blocks until the message bus responds, for at most
  /// two seconds.
  var isAvailable: Bool { get }

  /// Asks the helper to open a device.
  ///
  /// This may start the helper, and the helper may ask the user to authenticate. The request ends
  /// when its timeout expires or the caller's task is cancelled; in both cases the dialog is
  /// closed.
  func open(_ request: BrokerRequest) async -> BrokerReply
}
