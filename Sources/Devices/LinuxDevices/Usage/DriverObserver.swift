package import AccessModel
internal import Glibc
internal import Synchronization

/// Reads the information about the use of cameras that their drivers provide to every user.
///
/// No device is opened. A missing file provides no information.
package struct DriverObserver {
  let roots: MachineRoots

  /// The drivers whose module reference count equals the number of open files of their nodes.
  ///
  /// Each of them sets its own module as the owner of the node's file operations.
  private static let countingDrivers: Set<String> = ["uvcvideo", "vivid"]

  /// Returns whether a device's driver counts the open files of all its devices.
  package static func counts(_ device: DeviceFacts) -> Bool {
    device.subsystem == "video4linux" && device.driver.map(countingDrivers.contains) ?? false
  }

  /// Returns the drivers of the given devices that count open files.
  static func countingDrivers(of targets: [UseTarget]) -> Set<String> {
    Set(targets.compactMap(\.device).filter(counts).compactMap(\.driver))
  }

  /// Returns whether no process, visible or not, has any camera of the device's driver open.
  func isUnused(_ device: DeviceFacts?) -> Bool {
    guard let device, Self.counts(device), let driver = device.driver else { return false }
    return openFiles(of: driver) == 0
  }

  /// Returns the number of open files of all devices of a counting driver, or `nil` if unknown.
  ///
  /// While a module is being unloaded, its count is -1. That is possible only if no file is open
  /// (`try_stop_module`).
  private func openFiles(of driver: String) -> Int? {
    guard let word = word("\(roots.sysfs)/module/\(driver)/refcnt"), let count = Int(word),
      String(count) == word, count >= -1
    else { return nil }
    return max(count, 0)
  }

  /// Returns the counting drivers whose open files were all found.
  ///
  /// Each open file counts once, so a count above the number of files found reveals another user.
  /// After a file is closed, the count drops with a delay of some milliseconds, so it is read up to
  /// three times.
  ///
  /// - Parameters:
  ///   - targets: All devices of these drivers, and others.
  ///   - descriptors: The descriptors that were found.
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

  /// The approximate time in microseconds that a camera takes to close.
  private static let closingTime: UInt32 = 10_000

  /// Returns whether a USB camera is suspended and therefore cannot stream.
  func isAsleep(_ device: DeviceFacts?) -> Bool {
    guard let device, device.subsystem == "video4linux", device.driver == "uvcvideo" else {
      return false
    }
    // The node's parent is an interface of the USB device.
    return word("\(device.sysfsPath)/device/../power/runtime_status") == "suspended"
  }

  private func word(_ path: String) -> String? { try? BoundedFile.line(path, limit: 64) }
}

/// The information about the use of one device that its driver provides.
struct DriverReport: Hashable, Sendable {
  /// The streams of a sound device.
  var streams: SoundStreams?
  /// A Boolean value that indicates whether no process has any device of the driver open.
  var isUnused = false
  /// A Boolean value that indicates whether the device is suspended and cannot stream.
  var isAsleep = false

  /// A Boolean value that indicates whether the driver reports that no process has the device open.
  var isOfNobody: Bool { isUnused || streams?.open.isEmpty == true }

  /// Adds the report to the facts that were found by inspecting processes.
  func add(to use: inout DeviceUse) {
    if isUnused { use.isToldByDriver = true }
    guard isAsleep else { return }
    for index in use.holders.indices where use.holders[index].hold.activity == nil {
      use.holders[index].hold.activity = .idle
    }
  }
}

/// Remembers removed devices whose drivers count the open files of all their devices.
///
/// A process that had such a device open still does, and the driver still counts the file.
package final class RemovedDevices: Sendable {
  private struct State {
    var present: [UseTarget] = []
    var departed: [UseTarget] = []
  }

  private let state = Mutex(State())
  /// The maximum number to remember, because the same few devices are usually plugged in and out.
  private static let most = 16

  package init() {}

  /// Records the devices of the current scan, and returns those that were removed since earlier
  /// ones.
  ///
  /// - Parameter found: The devices in the current scan. A removed device with the same number as
  ///   one of these is forgotten, because its open files cannot be distinguished.
  /// - Returns: The devices that an earlier scan found and that no longer exist.
  package func besides(_ found: [UseTarget]) -> [UseTarget] {
    let numbers = Set(found.map(\.number))
    return state.withLock { state in
      let all =
        state.departed + state.present.filter { $0.device.map(DriverObserver.counts) ?? false }
      state.departed = Array(
        all.filter { !numbers.contains($0.number) }.suffix(Self.most))
      state.present = found
      return state.departed
    }
  }
}
