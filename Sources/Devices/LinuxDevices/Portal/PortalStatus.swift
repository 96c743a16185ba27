/// The status of the camera portal, determined without prompting the user.
public struct PortalStatus: Hashable, Sendable {
  /// A Boolean value that indicates whether the portal is running or can be started by the bus.
  ///
  /// If the bus could not be asked, the value is `false`, and ``memory`` contains the reason.
  public var isReachable: Bool
  /// The permission store's answer for the application.
  public var memory: PortalMemory
  /// A Boolean value that indicates whether the portal detects a camera.
  ///
  /// The value is `nil` if the portal is not running or does not report it.
  public var isCameraPresent: Bool?

  /// Creates a status; the default values describe a machine without a portal.
  public init(
    isReachable: Bool = false, memory: PortalMemory = .nothing, isCameraPresent: Bool? = nil
  ) {
    self.isReachable = isReachable
    self.memory = memory
    self.isCameraPresent = isCameraPresent
  }
}
