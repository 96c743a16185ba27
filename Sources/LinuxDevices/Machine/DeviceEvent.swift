/// Something that happened to a device.
public struct DeviceEvent: Hashable, Sendable {
  /// What happened, in udev's words.
  public enum Action: String, Hashable, Sendable {
    case add, remove, change, move, online, offline, bind, unbind
  }

  public var action: Action
  public var subsystem: String
  /// The kernel's name, such as `video0`.
  public var kernelName: String
  public var node: String?

  public init(action: Action, subsystem: String, kernelName: String, node: String?) {
    self.action = action
    self.subsystem = subsystem
    self.kernelName = kernelName
    self.node = node
  }
}
