public import LegoKit

extension Bricks {
  /// The blueprint for the camera, microphone and album permissions.
  public var permissions: PermissionsBlueprint {
    get { Self[PermissionsBlueprint.Value.self] }
    set { Self[PermissionsBlueprint.Value.self] = newValue }
  }

  /// The blueprint for lists of devices and explanations.
  public var devices: DeviceBlueprint {
    get { Self[DeviceBlueprint.Value.self] }
    set { Self[DeviceBlueprint.Value.self] = newValue }
  }
}
