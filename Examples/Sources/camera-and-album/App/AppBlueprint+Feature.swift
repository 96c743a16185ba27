import DevicePermissions
import LegoKit

extension Feature where B == AppBlueprint {
  /// The program, with the permissions and the devices plugged in.
  static var app: Feature {
    Feature(AppBlueprint(), adaptors: [AppAdaptor()])
      .part(\.permissions, .case(AppBlueprint.Change.permission), .permissions)
      .part(\.device, .case(AppBlueprint.Change.device), .devices)
  }
}
