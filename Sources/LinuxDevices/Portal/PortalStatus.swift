/// What is known about a camera portal without asking a person anything.
public struct PortalStatus: Hashable, Sendable {
  /// Whether the portal runs, or the message bus can start it; where that could not be asked, ``memory``
  /// says why.
  public var isReachable: Bool
  /// What the permission store holds for the application.
  public var memory: PortalMemory
  /// Whether the portal sees a camera; `nil` where it does not run or does not say.
  public var isCameraPresent: Bool?

  /// Creates a status; by default that of a machine without a portal.
  public init(
    isReachable: Bool = false, memory: PortalMemory = .nothing, isCameraPresent: Bool? = nil
  ) {
    self.isReachable = isReachable
    self.memory = memory
    self.isCameraPresent = isCameraPresent
  }
}
