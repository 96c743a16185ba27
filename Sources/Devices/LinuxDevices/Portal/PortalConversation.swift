package import MessageBus

/// The state of one request: its object path, and the signals that arrived before it was known.
///
/// Any program on the bus can send a signal that resembles an answer. Only a signal that the portal
/// itself sent for this object is accepted.
package struct PortalConversation {
  /// The event that ends the request.
  package enum End: Hashable, Sendable {
    case answered(PortalResponse)
    /// The portal's answer could not be parsed.
    case nonsense
    /// The portal left the bus.
    case portalEnded
  }

  /// A limit that exceeds the number of signals that a portal sends for one request.
  private static let mostEarly = 32

  /// The connection's unique name; `nil` until the bus has assigned it.
  package private(set) var ownName: String?
  /// The results that came with the answer, a dictionary of untrusted values.
  package private(set) var results: BusValue?
  private var portal: String?
  private var path: String?
  private var early: [BusIncoming] = []

  package init() {}

  /// Processes a signal.
  ///
  /// - Returns: The event that ends the request, if the signal is one.
  package mutating func receive(_ signal: BusIncoming) -> End? {
    guard signal.isSignal else { return nil }
    if signal.sender == "org.freedesktop.DBus" {
      if signal.member == "NameAcquired", ownName == nil,
        let name = signal.arguments.first?.text, name.hasPrefix(":")
      {
        ownName = name
      }
      guard let portal, let change = signal.ownerChange, change.name == PortalCalls.portal,
        change.before == portal
      else { return nil }
      return .portalEnded
    }
    guard signal.interface == PortalCalls.requestInterface, signal.member == "Response" else {
      return nil
    }
    guard path != nil else {
      if early.count < Self.mostEarly { early.append(signal) }
      return nil
    }
    return end(signal)
  }

  /// Records the object that the portal created for the request.
  ///
  /// - Parameters:
  ///   - path: The path of the object.
  ///   - portal: The unique name of the portal.
  /// - Returns: The event that ends the request, if it arrived before the path was known.
  package mutating func begin(_ path: String, of portal: String) -> End? {
    self.path = path
    self.portal = portal
    let signals = early
    early = []
    for signal in signals {
      if let end = end(signal) { return end }
    }
    return nil
  }

  private mutating func end(_ signal: BusIncoming) -> End? {
    guard signal.path == path, signal.sender == portal else { return nil }
    guard let response = PortalReading.response(signal.arguments) else { return .nonsense }
    // Only the first answer is used.
    if results == nil { results = signal.arguments[1] }
    return .answered(response)
  }
}
