public import AccessModel

/// A request to a broker to open a device.
public struct BrokerRequest: Hashable, Sendable {
  /// The absolute path of the device node, without symbolic links.
  public var path: String
  /// The device number that the node must have.
  public var device: DeviceNumber
  /// The access to open the device for: reading, writing or both.
  public var wanted: Permissions
  /// The maximum time for the whole request, including authentication by the user.
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
