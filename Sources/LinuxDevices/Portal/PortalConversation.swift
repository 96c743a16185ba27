package import MessageBus

/// How far one request is: which object it has, and what was told of it before that was known.
///
/// Anybody on the bus can send a signal that looks like an answer. Only one that the portal itself
/// sent about this very object counts.
package struct PortalConversation {
  /// What ends the waiting.
  package enum End: Hashable, Sendable {
    case answered(PortalResponse)
    /// The portal answered, and nobody knows what.
    case nonsense
    /// The portal went away.
    case portalEnded
  }

  /// More signals than a portal sends about one request.
  private static let mostEarly = 32

  /// The unique name of the own connection, once the bus has told it.
  package private(set) var ownName: String?
  /// What came with the answer: a dictionary, and untrusted.
  package private(set) var results: BusValue?
  private var portal: String?
  private var path: String?
  private var early: [BusIncoming] = []

  package init() {}

  /// Takes a signal.
  ///
  /// - Returns: The end, if it is one.
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

  /// Notes which object the portal has given the request.
  ///
  /// - Parameters:
  ///   - path: The object.
  ///   - portal: The unique name of the portal.
  /// - Returns: The end, if it was told before.
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
    // The first answer counts.
    if results == nil { results = signal.arguments[1] }
    return .answered(response)
  }
}
