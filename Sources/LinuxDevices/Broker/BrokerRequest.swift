public import AccessModel

/// What to have a broker open.
public struct BrokerRequest: Hashable, Sendable {
  /// The absolute path of the device's node, which no symbolic link is on.
  public var path: String
  /// The device that is expected there.
  public var device: DeviceNumber
  /// What for: reading, writing or both.
  public var wanted: Permissions
  /// How long to wait for the person and the broker together.
  public var timeout: Duration

  /// Creates a request.
  public init(
    path: String, device: DeviceNumber, wanted: Permissions, timeout: Duration = .seconds(120)
  ) {
    self.path = path
    self.device = device
    self.wanted = wanted
    self.timeout = timeout
  }
}
