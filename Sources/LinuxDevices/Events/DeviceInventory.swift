internal import AccessModel

/// The devices that a consumer has been told of.
///
/// Whatever was missed, it ends with what the kernel has: it compares, and never counts on events.
struct DeviceInventory {
  private var devices: [String: DeviceFacts] = [:]

  /// The differences from the devices that are there now, those that went first.
  mutating func replace(with now: [DeviceFacts]) -> [DeviceChange] {
    let paths = Set(now.map(\.sysfsPath))
    let gone = devices.values.filter { !paths.contains($0.sysfsPath) }
      .sorted { KernelName($0.kernelName) < KernelName($1.kernelName) }
    for device in gone { devices[device.sysfsPath] = nil }
    return gone.map { .removed($0) } + now.compactMap { put($0) }
  }

  /// The differences that an event makes: of its device, and of those below it, of which what is said also
  /// depends on it, such as the name of a sound card.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - path: The path of its device in sysfs.
  ///   - look: Looks at the device of a path and a subsystem; `nil` when it is not there.
  /// - Throws: What looking throws.
  /// - Returns: The changes, at most one of each device.
  mutating func apply<Failure>(
    _ event: DeviceEvent, at path: String,
    look: (_ path: String, _ subsystem: String) throws(Failure) -> DeviceFacts?
  ) throws(Failure) -> [DeviceChange] {
    // Its directory can outlive the event for a moment.
    let device = event.action == .remove ? nil : try look(path, event.subsystem)
    let below = path + "/"
    let parts = devices.values.filter { $0.sysfsPath.hasPrefix(below) }
      .sorted { KernelName($0.kernelName) < KernelName($1.kernelName) }
    var seen = [(path, device)]
    for part in parts {
      seen.append((part.sysfsPath, try look(part.sysfsPath, part.subsystem)))
    }
    // Nothing is noted before all has been looked at: a change that is noted has to be told.
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
