/// The reply of a broker, which includes the open device if the request was granted.
public struct BrokerReply: ~Copyable, Sendable {
  /// The outcome of the request.
  public let outcome: BrokerOutcome
  private var descriptor: DeviceDescriptor?

  /// Creates a reply without a descriptor, for a request that was not granted.
  public init(_ outcome: BrokerOutcome) {
    self.outcome = outcome
    descriptor = nil
  }

  /// Creates a reply for a granted request.
  public init(granting descriptor: consuming DeviceDescriptor) {
    outcome = .granted
    self.descriptor = consume descriptor
  }

  /// Returns the descriptor, which the caller then owns; `nil` if the request was not granted.
  public consuming func takeDescriptor() -> DeviceDescriptor? { descriptor.take() }
}
