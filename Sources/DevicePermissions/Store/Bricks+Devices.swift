public import LegoKit

extension Bricks {
  /// The state of the camera and album permissions.
  public var permissions: PermissionsBlueprint {
    get { Self[PermissionsBlueprint.Value.self] }
    set { Self[PermissionsBlueprint.Value.self] = newValue }
  }

  /// Lists of devices and explanations.
  public var devices: DeviceBlueprint {
    get { Self[DeviceBlueprint.Value.self] }
    set { Self[DeviceBlueprint.Value.self] = newValue }
  }
}
