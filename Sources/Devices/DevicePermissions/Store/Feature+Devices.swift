public import LegoKit

extension Feature where B == PermissionsBlueprint {
  /// The feature for the camera, microphone and album permissions, including its adaptor.
  public static var permissions: Feature {
    Feature(PermissionsBlueprint(), adaptors: [PermissionsAdaptor()])
  }
}

extension Feature where B == DeviceBlueprint {
  /// The feature for lists of devices and explanations, including its adaptor.
  public static var devices: Feature {
    Feature(DeviceBlueprint(), adaptors: [DeviceAdaptor()])
  }
}

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
