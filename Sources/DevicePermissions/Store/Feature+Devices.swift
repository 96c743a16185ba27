public import LegoKit

extension Feature where B == PermissionsBlueprint {
  /// The camera and album permissions, ready to be plugged into an application.
  public static var permissions: Feature {
    Feature(PermissionsBlueprint(), adaptors: [PermissionsAdaptor()])
  }
}

extension Feature where B == DeviceBlueprint {
  /// Lists of devices and explanations, ready to be plugged into an application.
  public static var devices: Feature {
    Feature(DeviceBlueprint(), adaptors: [DeviceAdaptor()])
  }
}
