internal import MessageBus

/// The D-Bus errors of the broker.
package enum BrokerError: String, Hashable, Sendable, CaseIterable {
  /// The arguments of the call are not valid.
  case invalidArguments = "InvalidArguments"
  /// The object at the path is not the expected device, or not of a kind that the broker opens.
  case notADevice = "NotADevice"
  /// The device at the path changed while polkit asked the user.
  case changed = "Changed"
  /// polkit denied the request.
  case notAuthorized = "NotAuthorized"
  /// The user dismissed the dialog.
  case dismissed = "Dismissed"
  /// Authentication is required, but no polkit agent is running.
  case noAgent = "NoAgent"
  /// polkit is not available, or does not respond correctly.
  case noAuthority = "NoAuthority"
  /// The user did not respond in time.
  case timedOut = "TimedOut"
  /// Too many requests are pending.
  case tooManyRequests = "TooManyRequests"
  /// The device could not be opened.
  case failed = "Failed"

  private static let prefix = "\(BrokerCalls.name).Error."

  /// The D-Bus name of the error.
  package var name: String { Self.prefix + rawValue }

  /// Creates the error with the given D-Bus name; `nil` if it is not an error of the broker.
  init?(named name: String) {
    guard name.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(name.dropFirst(Self.prefix.count)))
  }
}
