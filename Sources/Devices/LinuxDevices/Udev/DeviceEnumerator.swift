internal import AccessModel
internal import Glibc

/// Lists devices and inspects each of them once.
struct DeviceEnumerator {
  var roots: MachineRoots

  /// Returns the devices of a subsystem, ordered by kernel name.
  ///
  /// The result is empty if the subsystem does not exist.
  ///
  /// - Throws: `unavailable` if sysfs cannot be read, `exhausted` if resources are lacking.
  func devices(inSubsystem subsystem: String) throws(DeviceError) -> [DeviceFacts] {
    try list(ofSubsystem: subsystem).devices
  }

  /// Returns the device list of a subsystem, which is empty if the subsystem does not exist.
  ///
  /// The device paths come from sysfs, and libudev describes each device. `udev_enumerate` is not
  /// used, because it creates every device and all its parents only to return names.
  ///
  /// - Throws: `unavailable` if sysfs cannot be read, `exhausted` if resources are lacking.
  func list(ofSubsystem subsystem: String) throws(DeviceError) -> DeviceList {
    let paths = try paths(inSubsystem: subsystem)
    return DeviceList(
      subsystem, try entries(at: paths, subsystem: subsystem).compactMap(\.entry))
  }

  /// Returns the sysfs paths of a subsystem's devices, in no particular order.
  ///
  /// - Throws: `unavailable` if sysfs cannot be read, `exhausted` if resources are lacking.
  func paths(inSubsystem subsystem: String) throws(DeviceError) -> [String] {
    do throws(Errno) {
      return try SysfsTree(root: roots.sysfs).devices(inSubsystem: subsystem)
    } catch {
      throw unlisted(error)
    }
  }

  /// Inspects each of the given devices once; the entry of a device that does not exist is `nil`.
  ///
  /// - Throws: `unavailable` if sysfs cannot be read, `exhausted` if resources are lacking.
  func entries(
    at paths: some Collection<String>, subsystem: String
  ) throws(DeviceError) -> [(path: String, entry: DeviceList.Entry?)] {
    guard !paths.isEmpty else { return [] }
    var tree = SysfsTree(root: roots.sysfs)
    var entries: [(path: String, entry: DeviceList.Entry?)] = []
    do throws(Errno) {
      let context = try UdevContext()
      for path in paths { entries.append((path, try entry(at: path, subsystem, context, &tree))) }
    } catch {
      throw unlisted(error)
    }
    return entries
  }

  private func unlisted(_ error: Errno) -> DeviceError {
    DeviceError(
      error.isOfResources ? .exhausted : .unavailable, operation: "list devices below",
      path: roots.sysfs, errno: error)
  }

  /// Returns the device at a path in sysfs, or `nil` if it does not exist.
  ///
  /// - Throws: `unavailable` or `exhausted` if the device cannot be inspected.
  func device(at path: String, subsystem: String) throws(DeviceError) -> DeviceFacts? {
    var tree = SysfsTree(root: roots.sysfs)
    do throws(Errno) {
      return try entry(at: path, subsystem, UdevContext(), &tree)?.facts
    } catch {
      throw DeviceError(unableTo: "inspect device", path, error)
    }
  }

  /// Returns the device with a device number, or `nil` if sysfs contains none.
  ///
  /// A node that was created manually may have the number of a device that does not exist.
  func device(_ number: DeviceNumber, isBlock: Bool) -> DeviceFacts? {
    var tree = SysfsTree(root: roots.sysfs)
    let type = isBlock ? "block" : "char"
    let link = "\(roots.sysfs)/dev/\(type)/\(number.major):\(number.minor)"
    guard let target = SymbolicLink.target(of: link), let context = try? UdevContext() else {
      return nil
    }
    let path = SymbolicLink.resolve(target, from: link)
    let subsystem = SymbolicLink.target(of: "\(path)/subsystem")?.split(separator: "/").last
    return (try? entry(at: path, subsystem.map(String.init) ?? "", context, &tree))?.facts
  }

  /// Returns the device whose node would be created at a path, or `nil` if no such device exists.
  ///
  /// The kernel or udev creates the node. The kernel name of the device is the last component of
  /// the path, or the whole path below `/dev` with `!` instead of slashes.
  func device(missingAt path: String) -> DeviceFacts? {
    guard path.hasPrefix("/dev/") else { return nil }
    let parts = AbsolutePath.components(of: path).dropFirst()
    guard let last = parts.last, last != ".", last != ".." else { return nil }
    let names = Set([last, parts.joined(separator: "!")])
    for subsystem in ((try? Directory.names(in: "\(roots.sysfs)/class")) ?? nil ?? []).sorted() {
      for name in names {
        let link = "\(roots.sysfs)/class/\(subsystem)/\(name)"
        guard let target = SymbolicLink.target(of: link) else { continue }
        let found = SymbolicLink.resolve(target, from: link)
        if let device = try? device(at: found, subsystem: subsystem), device.node == path {
          return device
        }
      }
    }
    return nil
  }

  private func entry(
    at path: String, _ subsystem: String, _ context: borrowing UdevContext,
    _ tree: inout SysfsTree
  ) throws(Errno) -> DeviceList.Entry? {
    guard let claimed = try facts(at: path, subsystem, context) else { return nil }
    var entry = DeviceList.Entry(facts: claimed, claimedLinks: claimed.links)
    entry.facts.complete(&tree, roots: roots)
    if subsystem == "sound", claimed.node != nil, entry.facts.name == nil {
      entry.facts.name = try cardName(above: path, context)
    }
    return entry
  }

  /// Returns the name of a device's sound card.
  ///
  /// udev's rules name only the card (78-sound-card.rules). Without such a name, the result is the
  /// short ID that the driver assigned.
  ///
  /// - Throws: An error that indicates a lack of resources; other errors result in `nil`.
  private func cardName(
    above path: String, _ context: borrowing UdevContext
  ) throws(Errno) -> String? {
    let card = AbsolutePath.parent(of: path)
    guard card.split(separator: "/").last?.hasPrefix("card") == true else { return nil }
    do throws(Errno) {
      if let name = try facts(at: card, "sound", context)?.bestName { return name }
      let name = try BoundedFile.line("\(card)/id", limit: 64)
      return name.isEmpty ? nil : name
    } catch {
      guard !error.isOfResources else { throw error }
      return nil
    }
  }

  /// Returns udev's facts about a device, or `nil` if it was removed after it was listed.
  ///
  /// - Throws: The error that prevents reading the `uevent` file. libudev does not distinguish such
  ///   a device from one without a node.
  private func facts(
    at path: String, _ subsystem: String, _ context: borrowing UdevContext
  ) throws(Errno) -> DeviceFacts? {
    let facts: DeviceFacts?
    if roots.sysfs == "/sys" {
      guard let device = try context.device(at: path) else { return nil }
      facts = try DeviceFacts(device)?.checkingSubsystem(subsystem)
    } else {
      guard unsafe access(ByteText(path).cString, F_OK) == 0 else { return nil }
      facts = DeviceFacts(recordedAt: path, subsystem: subsystem, roots: roots)
    }
    if let facts, facts.node == nil, facts.number == nil {
      do throws(Errno) {
        _ = try BoundedFile.read("\(path)/uevent", limit: 1)
      } catch {
        guard error == .noSuchFile || error == .noSuchDevice else { throw error }
      }
    }
    return facts
  }
}

extension DeviceFacts {
  /// Adds the subsystem if libudev reported none although the device has one.
  ///
  /// - Parameter subsystem: The subsystem that was searched for the device.
  /// - Returns: The device with its subsystem.
  /// - Throws: The error that prevents reading the link.
  fileprivate func checkingSubsystem(_ subsystem: String) throws(Errno) -> DeviceFacts {
    guard self.subsystem.isEmpty, try SymbolicLink.read("\(sysfsPath)/subsystem") != nil else {
      return self
    }
    var facts = self
    facts.subsystem = subsystem
    return facts
  }
}

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
  /// A Boolean value that indicates whether devices may be missing from the list, or devices in it
  /// may no longer exist.
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

/// A kernel name with a natural sort order: `video2` precedes `video10`.
struct KernelName: Comparable, Hashable {
  private var stem: String
  private var number: UInt64
  private var whole: String

  init(_ name: String) {
    let digits = name.utf8.reversed().prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    whole = name
    stem = String(name.utf8.dropLast(digits.count)) ?? name
    number = UInt64(String(name.utf8.suffix(digits.count)) ?? "") ?? 0
  }

  static func < (left: KernelName, right: KernelName) -> Bool {
    (left.stem, left.number, left.whole) < (right.stem, right.number, right.whole)
  }
}
