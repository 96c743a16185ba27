public import AccessModel

/// A device with the access that the asking thread has to its node.
public struct DeviceListing: Hashable, Sendable {
  /// What udev and sysfs tell of the device.
  public var device: DeviceFacts
  /// What is granted of read and write, each by itself; `nil` when it could not be decided.
  public var access: Permissions?
  /// Whether reading and writing at once is granted: two entries can each grant one of them.
  public var allowsBoth: Bool
  /// Whether its node is not there, or has no device behind it, so that nothing is refused.
  public var isAbsent: Bool

  /// Creates an entry of a list of devices.
  public init(
    device: DeviceFacts, access: Permissions?, allowsBoth: Bool, isAbsent: Bool = false
  ) {
    self.device = device
    self.isAbsent = isAbsent
    self.access = access
    self.allowsBoth = allowsBoth
  }
}
