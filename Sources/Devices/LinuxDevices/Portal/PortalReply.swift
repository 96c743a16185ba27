/// The camera portal's reply to a request, with the PipeWire connection if it was granted.
public struct PortalReply: ~Copyable, Sendable {
  /// The outcome of the request.
  public let outcome: PortalOutcome
  /// The connection, which exposes only cameras; `nil` unless the request was granted.
  private var remote: DeviceDescriptor?

  /// Creates a reply without a connection, for a request that was not granted.
  public init(_ outcome: PortalOutcome) {
    self.outcome = outcome
    remote = nil
  }

  /// Creates the reply to a granted request.
  public init(granting remote: consuming DeviceDescriptor) {
    outcome = .granted
    self.remote = consume remote
  }

  /// Transfers ownership of the connection to the caller; returns `nil` if there is none.
  public consuming func takeRemote() -> DeviceDescriptor? { remote.take() }
}
