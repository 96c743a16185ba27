internal import AccessModel
internal import Glibc

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

  /// The drivers of some devices that do so.
  static func countingDrivers(of targets: [UseTarget]) -> Set<String> {
    Set(targets.compactMap(\.device).filter(counts).compactMap(\.driver))
  }

  /// Whether no program at all, seen or not, has any camera of the driver open.
  func isUnused(_ device: DeviceFacts?) -> Bool {
    guard let device, Self.counts(device), let driver = device.driver else { return false }
    return openFiles(of: driver) == 0
  }

  /// How many files of all devices of a counting driver are open; `nil` where it does not tell.
  ///
  /// A module that is being unloaded has -1, and can only be where none is open (`try_stop_module`).
  private func openFiles(of driver: String) -> Int? {
    guard let word = word("\(roots.sysfs)/module/\(driver)/refcnt"), let count = Int(word),
      String(count) == word, count >= -1
    else { return nil }
    return max(count, 0)
  }

  /// The counting drivers of which no file is open but those that were seen.
  ///
  /// Each open file counts once, so that one more than were seen would show. The count goes down some
  /// milliseconds after a close; that is waited for.
  ///
  /// - Parameters:
  ///   - targets: All devices of these drivers, and others.
  ///   - descriptors: The descriptors that were seen.
  /// - Returns: The names of the drivers.
  func driversWithoutOthers(
    _ targets: [UseTarget], _ descriptors: [SeenDescriptor]
  ) -> Set<String> {
    let drivers = Dictionary(targets.map { ($0.number, $0.device?.driver) }) { first, _ in first }
    let seen = Dictionary(grouping: descriptors) { drivers[$0.device] ?? nil }
    return Self.countingDrivers(of: targets).filter { driver in
      guard let count = SeenDescriptor.fileCount(seen[driver] ?? []) else { return false }
      for isLast in [false, false, true] {
        guard let now = openFiles(of: driver), now >= count else { return false }
        if now == count { return true }
        if !isLast { usleep(Self.closingTime) }
      }
      return false
    }
  }

  /// About how long a camera takes to close, in microseconds.
  private static let closingTime: UInt32 = 10_000

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
