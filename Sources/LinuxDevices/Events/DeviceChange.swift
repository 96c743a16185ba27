public import AccessModel

/// How a list of devices differs from the one before.
public enum DeviceChange: Hashable, Sendable {
  /// The device is there.
  case added(DeviceFacts)
  /// Something about the device is different now.
  case changed(DeviceFacts)
  /// The device is gone; what was known of it.
  case removed(DeviceFacts)

  /// The device, as it is or last was.
  public var device: DeviceFacts {
    switch self {
    case .added(let device), .changed(let device), .removed(let device): device
    }
  }
}
