public import AccessModel

/// What opening a device once brought to light.
public struct DeviceProbe: Hashable, Sendable {
  /// What the system call answered; `nil` when there is no device to open at the path, or when
  /// nothing could be tried.
  public var attempt: Attempt?
  /// `device_caps` of `VIDIOC_QUERYCAP`, for a video node that opened.
  public var driverCapabilities: UInt32?
  /// What the driver calls the device; untrusted.
  public var name: String?
  /// Whether the camera's privacy control is on (`V4L2_CID_PRIVACY`); `nil` when it has none.
  public var isPrivate: Bool?

  /// Creates what a probe found; without an attempt, nothing was opened.
  public init(
    attempt: Attempt? = nil, driverCapabilities: UInt32? = nil, name: String? = nil,
    isPrivate: Bool? = nil
  ) {
    self.attempt = attempt
    self.driverCapabilities = driverCapabilities
    self.name = name
    self.isPrivate = isPrivate
  }
}
