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
