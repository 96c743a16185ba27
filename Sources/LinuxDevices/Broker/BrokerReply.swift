/// The answer of a broker, with the open device where it was granted.
public struct BrokerReply: ~Copyable, Sendable {
  /// How the request ended.
  public let outcome: BrokerOutcome
  private var descriptor: DeviceDescriptor?

  /// A reply without a descriptor, for a request that was not granted.
  public init(_ outcome: BrokerOutcome) {
    self.outcome = outcome
    descriptor = nil
  }

  /// A granted request.
  public init(granting descriptor: consuming DeviceDescriptor) {
    outcome = .granted
    self.descriptor = consume descriptor
  }

  /// Hands the descriptor over.
  public consuming func takeDescriptor() -> DeviceDescriptor? { descriptor.take() }
}
