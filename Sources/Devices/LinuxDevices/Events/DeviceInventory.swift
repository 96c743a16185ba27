internal import AccessModel

/// The devices that a consumer knows from the changes it received.
///
/// The inventory compares its devices with the kernel's and does not rely on events. Its content is
/// therefore correct even if events were missed.
struct DeviceInventory {
  private var devices: [String: DeviceFacts] = [:]

  /// Replaces all devices and returns the differences, with removals first.
  mutating func replace(with now: [DeviceFacts]) -> [DeviceChange] {
    let paths = Set(now.map(\.sysfsPath))
    let gone = devices.values.filter { !paths.contains($0.sysfsPath) }
      .sorted { KernelName($0.kernelName) < KernelName($1.kernelName) }
    for device in gone { devices[device.sysfsPath] = nil }
    return gone.map { .removed($0) } + now.compactMap { put($0) }
  }

  /// Inspects the devices that an event affects, and returns the differences.
  ///
  /// These are the device of the event and all known devices below it. Their facts may also depend
  /// on that device, such as the name of a sound card.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - path: The path of the event's device in sysfs.
  ///   - look: Returns the device with the given path and subsystem; `nil` if it does not exist.
  /// - Throws: The error that `look` throws.
  /// - Returns: The changes, at most one for each device.
  mutating func apply<Failure>(
    _ event: DeviceEvent, at path: String,
    look: (_ path: String, _ subsystem: String) throws(Failure) -> DeviceFacts?
  ) throws(Failure) -> [DeviceChange] {
    // The directory of a removed device may exist for a moment after the event.
    let device = event.action == .remove ? nil : try look(path, event.subsystem)
    let below = path + "/"
    let parts = devices.values.filter { $0.sysfsPath.hasPrefix(below) }
      .sorted { KernelName($0.kernelName) < KernelName($1.kernelName) }
    var seen = [(path, device)]
    for part in parts {
      seen.append((part.sysfsPath, try look(part.sysfsPath, part.subsystem)))
    }
    // All devices are inspected before any is recorded, because a recorded change must be
    // delivered.
    return seen.flatMap { path, device in
      device.map { [put($0)].compactMap(\.self) } ?? remove(path)
    }
  }

  private mutating func remove(_ path: String) -> [DeviceChange] {
    devices.removeValue(forKey: path).map { [.removed($0)] } ?? []
  }

  private mutating func put(_ device: DeviceFacts) -> DeviceChange? {
    guard let before = devices.updateValue(device, forKey: device.sysfsPath) else {
      return .added(device)
    }
    return before == device ? nil : .changed(device)
  }
}
