public import LegoKit

extension Contractors {
  /// Tells whether this program may use the camera and the album.
  public var permissions: PermissionsService {
    get { Self[PermissionsService.Value.self] }
    set { Self[PermissionsService.Value.self] = newValue }
  }

  /// Lists devices and explains who may use them.
  public var devices: DeviceService {
    get { Self[DeviceService.Value.self] }
    set { Self[DeviceService.Value.self] = newValue }
  }

  /// Tells which processes use devices.
  public var deviceUsage: DeviceUsageService {
    get { Self[DeviceUsageService.Value.self] }
    set { Self[DeviceUsageService.Value.self] = newValue }
  }
}
