public import AccessModel

/// A difference between two states of the list of devices.
public enum DeviceChange: Hashable, Sendable {
  /// The device was added.
  case added(DeviceFacts)
  /// The device changed.
  case changed(DeviceFacts)
  /// The device was removed; the value describes its last known state.
  case removed(DeviceFacts)

  /// The device in its current or last known state.
  public var device: DeviceFacts {
    switch self {
    case .added(let device), .changed(let device), .removed(let device): device
    }
  }
}
