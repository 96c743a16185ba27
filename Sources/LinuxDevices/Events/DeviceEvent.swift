/// Something that happened to a device.
public struct DeviceEvent: Hashable, Sendable {
  /// What happened, in udev's words.
  public enum Action: String, Hashable, Sendable {
    /// The device came.
    case add
    /// The device went.
    case remove
    /// Something about the device changed, or somebody asked for its rules again.
    case change
    /// The device has another name.
    case move
    /// The device, such as a processor or memory, can be used again.
    case online
    /// The device is there and cannot be used for now.
    case offline
    /// A driver took the device.
    case bind
    /// A driver let go of the device.
    case unbind
  }

  /// What happened (`ACTION`).
  public var action: Action
  /// The subsystem in udev's words, such as `video4linux`.
  public var subsystem: String
  /// The kernel's name, such as `video0`.
  public var kernelName: String
  /// The device node, such as `/dev/video0`; `nil` when the device has none.
  public var node: String?
  /// The path in sysfs, which distinguishes devices; `nil` where it is not known.
  public var sysfsPath: String?

  /// Creates an event, such as a test sends.
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
