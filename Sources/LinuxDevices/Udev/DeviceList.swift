internal import AccessModel

/// The devices of a subsystem as they were seen, of which each can be looked at again alone.
struct DeviceList: Sendable {
  /// A device, with what is not in its facts.
  struct Entry: Sendable {
    var facts: DeviceFacts
    /// The links that udev claims for it.
    ///
    /// Two cameras without serial numbers claim the same one, and where one of them goes, the other has
    /// it from then on.
    var claimedLinks: [String] = []
  }

  let subsystem: String
  /// In the order of the kernel names.
  private(set) var devices: [DeviceFacts]
  /// The links that are claimed for devices, by their paths in sysfs.
  private var claims: [String: [String]] = [:]
  /// The paths of those that are to be looked at again.
  private var stale: Set<String> = []
  /// The paths of those that are told to be gone, whether sysfs shows them still or not: their events may
  /// come first.
  private var gone: Set<String> = []
  /// Whether there may be others than these.
  private var isIncomplete = false

  /// Takes the devices of a subsystem, in any order.
  init(_ subsystem: String, _ entries: [Entry]) {
    self.subsystem = subsystem
    devices = entries.map { (KernelName($0.facts.kernelName), $0.facts) }
      .sorted { $0.0 < $1.0 }.map(\.1)
    for entry in entries where !entry.claimedLinks.isEmpty {
      claims[entry.facts.sysfsPath] = entry.claimedLinks
    }
  }

  /// Notes that something happened to a device, of whichever subsystem.
  ///
  /// What is said of one also depends on the devices that it is below: their drivers and buses.
  ///
  /// - Parameters:
  ///   - path: Its path in sysfs.
  ///   - isOwn: Whether it is of this subsystem.
  ///   - isGone: Whether it went.
  mutating func note(changeAt path: String, isOwn: Bool, isGone: Bool) {
    if isOwn {
      stale.insert(path)
      if isGone { gone.insert(path) } else { gone.remove(path) }
    }
    let below = path + "/"
    for device in devices where device.sysfsPath.hasPrefix(below) { stale.insert(device.sysfsPath) }
  }

  /// Notes that there may be other devices than these.
  mutating func noteOthers() { isIncomplete = true }

  /// Whether some are to be looked at again before the list is true.
  var isStale: Bool { isIncomplete || !stale.isEmpty }

  /// Looks again at what was noted.
  ///
  /// - Throws: `unavailable` when sysfs cannot be read.
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
