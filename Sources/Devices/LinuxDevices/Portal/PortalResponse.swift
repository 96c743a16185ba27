/// The response code in the portal's `Response` signal.
package enum PortalResponse: UInt64, Hashable, Sendable {
  case granted = 0
  case refused = 1
  case interrupted = 2

  var outcome: PortalOutcome {
    switch self {
    case .granted: .granted
    case .refused: .refused
    case .interrupted: .interrupted
    }
  }
}
