internal import MessageBus

extension BrokerOutcome {
  /// Creates the outcome for a failed call.
  init(_ failure: BusFailure) {
    if let error = BrokerError(named: failure.name) {
      self = Self.outcome(error, failure.description)
    } else if failure == .timedOut || failure.name == "org.freedesktop.DBus.Error.Timeout" {
      self = .timedOut
    } else if failure == .cancelled {
      self = .cancelled
    } else if failure.isAbsence {
      self = .absent(failure.description)
    } else if failure.isMissingBus {
      self = .absent("there is no message bus of the system")
    } else if failure.name == "org.freedesktop.DBus.Error.AccessDenied" {
      self = .absent("the message bus does not allow this program to call it")
    } else if failure.name == "org.freedesktop.DBus.Error.NoReply" {
      self = .failed("it exited before it answered")
    } else {
      self = .failed(failure.description)
    }
  }

  private static func outcome(_ error: BrokerError, _ text: String) -> BrokerOutcome {
    switch error {
    case .notAuthorized: .refused
    case .dismissed: .dismissed
    case .timedOut: .timedOut
    case .noAuthority, .noAgent: .absent(text)
    case .invalidArguments, .notADevice: .unsuitable(text)
    case .changed, .tooManyRequests, .failed: .failed(text)
    }
  }
}
