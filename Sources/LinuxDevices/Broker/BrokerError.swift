internal import MessageBus

/// The errors of the broker on the bus.
package enum BrokerError: String, Hashable, Sendable, CaseIterable {
  /// The arguments are not what the method takes.
  case invalidArguments = "InvalidArguments"
  /// No device of a kind that the broker opens is at the path, or another one than expected.
  case notADevice = "NotADevice"
  /// The device at the path changed while polkit asked.
  case changed = "Changed"
  /// polkit said no.
  case notAuthorized = "NotAuthorized"
  /// The person took the dialog away.
  case dismissed = "Dismissed"
  /// Somebody would have to authenticate, and no agent of polkit runs that could ask.
  case noAgent = "NoAgent"
  /// polkit is not there, or does not answer as it should.
  case noAuthority = "NoAuthority"
  /// Nobody answered polkit's question in time.
  case timedOut = "TimedOut"
  /// Too many requests wait.
  case tooManyRequests = "TooManyRequests"
  /// The driver refused.
  case failed = "Failed"

  private static let prefix = "\(BrokerCalls.name).Error."

  /// Its name on the bus.
  package var name: String { Self.prefix + rawValue }

  /// The error of a name on the bus; `nil` for another's.
  init?(named name: String) {
    guard name.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(name.dropFirst(Self.prefix.count)))
  }
}
