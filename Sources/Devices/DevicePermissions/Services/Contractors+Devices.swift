public import LegoKit

extension Contractors {
  /// The service that reports whether this program may use the camera, the microphone and the
  /// album, and requests access to them.
  public var permissions: PermissionsService {
    get { Self[PermissionsService.Value.self] }
    set { Self[PermissionsService.Value.self] = newValue }
  }

  /// The service that lists devices and explains who may use them.
  public var devices: DeviceService {
    get { Self[DeviceService.Value.self] }
    set { Self[DeviceService.Value.self] = newValue }
  }

  /// The service that finds the processes that use devices.
  public var deviceUsage: DeviceUsageService {
    get { Self[DeviceUsageService.Value.self] }
    set { Self[DeviceUsageService.Value.self] = newValue }
  }
}
