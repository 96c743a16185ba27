/// The answer to a request, with the connection to PipeWire where it was granted.
public struct PortalReply: ~Copyable, Sendable {
  /// How the request ended.
  public let outcome: PortalOutcome
  /// The connection, on which only cameras are visible; `nil` unless the request was granted.
  private var remote: DeviceDescriptor?

  /// A reply without a connection, for a request that was not granted.
  public init(_ outcome: PortalOutcome) {
    self.outcome = outcome
    remote = nil
  }

  /// A granted request.
  public init(granting remote: consuming DeviceDescriptor) {
    outcome = .granted
    self.remote = consume remote
  }

  /// Hands the connection over.
  public consuming func takeRemote() -> DeviceDescriptor? { remote.take() }
}
