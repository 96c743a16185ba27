internal import MessageBus

/// The reason why a request to a portal failed.
enum PortalTrouble: Error, Hashable {
  case absent(String)
  case forbidden
  case withheld
  case timedOut
  case cancelled
  case failed(String)

  init(_ failure: BusFailure) {
    let name = failure.name
    if failure == .timedOut || name == "org.freedesktop.DBus.Error.Timeout" {
      self = .timedOut
    } else if failure == .cancelled {
      self = .cancelled
    } else if name == PortalCalls.notAllowed {
      self = .forbidden
    } else if failure.isAbsence {
      self = .absent(failure.description)
    } else if failure.isMissingBus {
      self = .absent("there is no message bus of the session")
    } else if name == "org.freedesktop.DBus.Error.NoReply" {
      self = .failed("the portal exited before it answered")
    } else {
      self = .failed(failure.description)
    }
  }

  var outcome: PortalOutcome {
    switch self {
    case .absent(let reason): .absent(reason)
    case .forbidden: .forbidden
    case .withheld: .withheld
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    case .failed(let reason): .failed(reason)
    }
  }

  /// A Boolean value that indicates whether the portal may still be asking the user.
  var leavesDialog: Bool {
    switch self {
    case .timedOut, .cancelled: true
    case .absent, .forbidden, .withheld, .failed: false
    }
  }
}
