public import AccessModel

/// A device, and a subject's access to its node.
public struct DeviceListing: Hashable, Sendable {
  /// The facts about the device from udev and sysfs.
  public var device: DeviceFacts
  /// The allowed access, with reading and writing checked separately; `nil` if it is undetermined.
  public var access: Permissions?
  /// A Boolean value that indicates whether reading and writing at once is allowed.
  ///
  /// Two entries of an access list can each allow only one of them.
  public var allowsBoth: Bool
  /// A Boolean value that indicates whether the node does not exist or has no device behind it.
  ///
  /// In that case, no access is refused, but the device cannot be opened.
  public var isAbsent: Bool

  /// Creates an entry for a list of devices.
  public init(
    device: DeviceFacts, access: Permissions?, allowsBoth: Bool, isAbsent: Bool = false
  ) {
    self.device = device
    self.isAbsent = isAbsent
    self.access = access
    self.allowsBoth = allowsBoth
  }
}
