public import AccessModel

/// The result of opening a device once.
public struct DeviceProbe: Hashable, Sendable {
  /// The attempt and its result; `nil` if the path is not a device or no attempt was possible.
  public var attempt: Attempt?
  /// The `device_caps` that `VIDIOC_QUERYCAP` returned; `nil` if no video node was opened.
  public var driverCapabilities: UInt32?
  /// The device name that the driver reports; untrusted text.
  public var name: String?
  /// A Boolean value that indicates whether the camera's privacy control is on
  /// (`V4L2_CID_PRIVACY`).
  ///
  /// The value is `nil` if the device has no such control.
  public var isPrivate: Bool?

  /// Creates the result of a probe; without an attempt, no device was opened.
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
