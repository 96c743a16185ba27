internal import AccessModel

/// Reads what drivers of cameras tell everybody about the use of their devices.
///
/// None of it opens a device. A file that is not there tells nothing.
struct DriverObserver {
  let roots: MachineRoots

  /// Drivers whose module is taken hold of by each open file of one of their nodes, and by none of
  /// another module: they name their own module as the owner of the operations on the node.
  private static let countingDrivers: Set<String> = ["uvcvideo", "vivid"]

  /// Whether a device is of a driver that tells of the use of all of its devices together.
  static func counts(_ device: DeviceFacts) -> Bool {
    device.subsystem == "video4linux" && device.driver.map(countingDrivers.contains) ?? false
  }

  /// Whether no program at all, seen or not, has any camera of the driver open.
  func isUnused(_ device: DeviceFacts?) -> Bool {
    guard let device, Self.counts(device), let driver = device.driver else { return false }
    return word("\(roots.sysfs)/module/\(driver)/refcnt") == "0"
  }

  /// Whether a USB camera is suspended, so that nothing can stream from it.
  func isAsleep(_ device: DeviceFacts?) -> Bool {
    guard let device, device.subsystem == "video4linux", device.driver == "uvcvideo" else {
      return false
    }
    // The node belongs to an interface of the camera.
    return word("\(device.sysfsPath)/device/../power/runtime_status") == "suspended"
  }

  private func word(_ path: String) -> String? { try? BoundedFile.line(path, limit: 64) }
}
