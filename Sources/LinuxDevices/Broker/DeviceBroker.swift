/// A privileged helper that opens devices for those whom an administrator lets.
public protocol DeviceBroker: Sendable {
  /// Whether there is one, without starting it.
  ///
  /// Blocks for as long as the message bus takes, at most two seconds.
  var isAvailable: Bool { get }

  /// Has a device opened; the helper may be started, and a person asked to authenticate.
  ///
  /// It ends with the timeout of the request, and with the caller's task; both take the question
  /// back.
  func open(_ request: BrokerRequest) async -> BrokerReply
}
