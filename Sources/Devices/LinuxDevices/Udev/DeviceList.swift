internal import AccessModel

/// The inspected devices of a subsystem, which can be inspected again individually.
struct DeviceList: Sendable {
  /// A device, with its claimed links, which its facts do not contain.
  struct Entry: Sendable {
    var facts: DeviceFacts
    /// The links that udev claims for the device.
    ///
    /// Two cameras without serial numbers claim the same link. When one of them is removed, the
    /// link leads to the other one.
    var claimedLinks: [String] = []
  }

  let subsystem: String
  /// The devices, ordered by kernel name.
  private(set) var devices: [DeviceFacts]
  /// The claimed links of each device, keyed by sysfs path.
  private var claims: [String: [String]] = [:]
  /// The sysfs paths of the devices to inspect again.
  private var stale: Set<String> = []
  /// The sysfs paths of the devices whose removal was reported.
  ///
  /// sysfs may still contain them, because an event can arrive first.
  private var gone: Set<String> = []
  /// A Boolean value that indicates whether devices may be missing from the list or may not exist
  /// any more.
  private var isIncomplete = false

  /// Creates a list of a subsystem's devices, given in any order.
  init(_ subsystem: String, _ entries: [Entry]) {
    self.subsystem = subsystem
    devices = entries.map { (KernelName($0.facts.kernelName), $0.facts) }
      .sorted { $0.0 < $1.0 }.map(\.1)
    for entry in entries where !entry.claimedLinks.isEmpty {
      claims[entry.facts.sysfsPath] = entry.claimedLinks
    }
  }

  /// Records an event for a device of any subsystem.
  ///
  /// The facts about a device also depend on the drivers and buses of its parents.
  ///
  /// - Parameters:
  ///   - path: The sysfs path of the device.
  ///   - isOwn: Whether the device belongs to this subsystem.
  ///   - isGone: Whether the device was removed.
  mutating func note(changeAt path: String, isOwn: Bool, isGone: Bool) {
    if isOwn {
      stale.insert(path)
      if isGone { gone.insert(path) } else { gone.remove(path) }
    }
    let below = path + "/"
    for device in devices where device.sysfsPath.hasPrefix(below) { stale.insert(device.sysfsPath) }
  }

  /// Records that devices may have been added or removed without an event.
  mutating func noteOthers() { isIncomplete = true }

  /// A Boolean value that indicates whether the list must be refreshed before it is used.
  var isStale: Bool { isIncomplete || !stale.isEmpty }

  /// Inspects the devices that may have changed.
  ///
  /// - Throws: `unavailable` if sysfs cannot be read, `exhausted` if resources are lacking.
  mutating func refresh(with enumerator: DeviceEnumerator) throws(DeviceError) {
    var paths = stale
    if isIncomplete {
      paths.formUnion(
        Set(devices.map(\.sysfsPath))
          .symmetricDifference(try enumerator.paths(inSubsystem: subsystem)))
    }
    var links: Set<String> = []
    for path in paths { links.formUnion(claims[path] ?? []) }
    for path in gone { replace(path, with: nil) }
    for (path, entry) in try enumerator.entries(
      at: paths.subtracting(gone), subsystem: subsystem)
    {
      replace(path, with: entry)
      links.formUnion(entry?.claimedLinks ?? [])
    }
    let rivals = links.isEmpty ? [] : claims.filter { !links.isDisjoint(with: $0.value) }.map(\.key)
    let others = Set(rivals).subtracting(paths)
    for (path, entry) in try enumerator.entries(at: others, subsystem: subsystem) {
      replace(path, with: entry)
    }
    stale = []
    gone = []
    isIncomplete = false
  }

  private mutating func replace(_ path: String, with entry: Entry?) {
    let index = devices.firstIndex { $0.sysfsPath == path }
    let claimed = entry?.claimedLinks ?? []
    claims[path] = claimed.isEmpty ? nil : claimed
    switch (index, entry) {
    case (let index?, let entry?): devices[index] = entry.facts
    case (let index?, nil): devices.remove(at: index)
    case (nil, let entry?):
      let name = KernelName(entry.facts.kernelName)
      let next = devices.firstIndex { KernelName($0.kernelName) > name }
      devices.insert(entry.facts, at: next ?? devices.endIndex)
    case (nil, nil): break
    }
  }
}
