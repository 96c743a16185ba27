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

  /// The differences that an event makes.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - path: The path of its device in sysfs.
  ///   - look: Looks at the device; `nil` when it is not there.
  /// - Throws: What looking throws.
  /// - Returns: One change, or none.
  mutating func apply<Failure>(
    _ event: DeviceEvent, at path: String, look: () throws(Failure) -> DeviceFacts?
  ) throws(Failure) -> [DeviceChange] {
    // Its directory can outlive the event for a moment.
    if event.action == .remove { return remove(path) }
    guard let device = try look() else { return remove(path) }
    return [put(device)].compactMap(\.self)
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
