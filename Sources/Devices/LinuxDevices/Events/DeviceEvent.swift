/// An event of a device.
public struct DeviceEvent: Hashable, Sendable {
  /// The kind of event, with its name in udev.
  public enum Action: String, Hashable, Sendable {
    /// The device was added.
    case add
    /// The device was removed.
    case remove
    /// The device changed, or a program triggered the event to apply the udev rules again.
    case change
    /// The device was renamed or moved.
    case move
    /// The device, such as a processor or memory, is online again.
    case online
    /// The device is present but offline.
    case offline
    /// A driver was bound to the device.
    case bind
    /// A driver was unbound from the device.
    case unbind
  }

  /// The kind of event (`ACTION`).
  public var action: Action
  /// The udev name of the subsystem, such as `video4linux`.
  public var subsystem: String
  /// The kernel's name for the device, such as `video0`.
  public var kernelName: String
  /// The path of the device node, such as `/dev/video0`; `nil` if the device has none.
  public var node: String?
  /// The path in sysfs, which identifies the device; `nil` if it is unknown.
  public var sysfsPath: String?

  /// Creates an event, for example for a test.
  public init(
    action: Action, subsystem: String, kernelName: String, node: String?, sysfsPath: String? = nil
  ) {
    self.action = action
    self.subsystem = subsystem
    self.kernelName = kernelName
    self.node = node
    self.sysfsPath = sysfsPath
  }
}
