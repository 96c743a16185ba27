internal import AccessModel
internal import CLinux
internal import Glibc
internal import UdevRules

/// Reads a device and its parents as udev rules see them.
struct RuleDevices {
  /// The udev database's entry for a device.
  struct Entry {
    let record: UdevRecord
    /// The tags of the last event; `nil` if this version of udevd does not record them separately.
    let currentTags: Set<UdevRuleText>?
    /// The time when the entry was written, in seconds since the epoch.
    let written: Int64
  }

  var roots: MachineRoots

  /// Reads a device without its attributes.
  ///
  /// - Parameters:
  ///   - path: The path below `/sys`, such as `/devices/virtual/mem/null`.
  ///   - isEvent: A Boolean value that indicates whether the event is for this device. If so, the
  ///     result contains only the kernel's properties, not those in the udev database.
  /// - Returns: The device, or `nil` if it does not exist.
  func device(_ path: String, isEvent: Bool = false) -> UdevRuleDevice? {
    let folder = roots.sysfs + path
    guard let uevent = try? BoundedFile.read("\(folder)/uevent", limit: 1 << 16) else {
      return nil
    }
    var record = UdevRecord()
    record.read(uevent: uevent.bytes)
    var properties = record.properties
    properties["DEVPATH"] = path
    let subsystem = Self.lastName(SymbolicLink.target(of: "\(folder)/subsystem"))
    if let subsystem { properties["SUBSYSTEM"] = subsystem }
    var device = UdevRuleDevice(
      path: UdevRuleText(ByteText(path).bytes), subsystem: subsystem.map { UdevRuleText($0) },
      driver: Self.lastName(SymbolicLink.target(of: "\(folder)/driver")).map { UdevRuleText($0) },
      node: properties["DEVNAME"].map { UdevRuleText($0) })
    if let major = properties["MAJOR"].flatMap({ UInt32($0) }),
      let minor = properties["MINOR"].flatMap({ UInt32($0) })
    {
      device.number = UdevRuleDevice.Number(major: major, minor: minor)
    }
    if !isEvent, let entry = entry(of: device, properties) {
      properties.merge(entry.record.properties) { _, new in new }
      device.tags = Set(entry.record.tags.map { UdevRuleText($0) })
      device.currentTags = entry.currentTags
    }
    device.properties = Dictionary(
      properties.map { (UdevRuleText($0.key), UdevRuleText($0.value)) },
      uniquingKeysWith: { first, _ in first })
    return device
  }

  /// Returns the parents of the device at a path, the nearest first.
  func parents(of path: String) -> [UdevRuleDevice] {
    var parents: [UdevRuleDevice] = []
    var path = AbsolutePath.parent(of: path)
    // `/devices` itself is not a device.
    while path.hasPrefix("/devices/"), parents.count < RuleLimits.parents {
      if let parent = device(path) { parents.append(parent) }
      path = AbsolutePath.parent(of: path)
    }
    return parents
  }

  /// Returns the device that a rule specifies by subsystem and name, such as `dmi/id`.
  func device(named name: String) -> UdevRuleDevice? {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2, !parts.contains("."), !parts.contains("..") else { return nil }
    let kernelName = String(parts[1].map { $0 == "/" ? "!" : $0 })
    for link in [
      "\(roots.sysfs)/class/\(parts[0])/\(kernelName)",
      "\(roots.sysfs)/bus/\(parts[0])/devices/\(kernelName)",
    ] {
      guard let target = SymbolicLink.target(of: link) else { continue }
      let path = SymbolicLink.resolve(target, from: link)
      guard path.hasPrefix(roots.sysfs + "/") else { continue }
      return device(String(path.dropFirst(roots.sysfs.count)))
    }
    return nil
  }

  /// Returns the database entry of a device, or `nil` if it has none.
  func entry(of device: UdevRuleDevice) -> Entry? {
    var properties: [String: String] = [:]
    for (name, value) in device.properties { properties[name.description] = value.description }
    return entry(of: device, properties)
  }

  private func entry(
    of device: UdevRuleDevice, _ properties: [String: String]
  ) -> Entry? {
    let subsystem = device.subsystem?.description ?? ""
    let name: String
    if let number = device.number {
      name = "\(subsystem == "block" ? "b" : "c")\(number.major):\(number.minor)"
    } else if let index = properties["IFINDEX"] {
      name = "n\(index)"
    } else {
      name = "+\(subsystem):\(device.path.description.split(separator: "/").last ?? "")"
    }
    let path = "\(UdevDatabase(roots: roots).folder)/\(name)"
    guard !name.utf8.contains(UInt8(ascii: "/")),
      let file = try? BoundedFile.read(path, limit: 1 << 18)
    else { return nil }
    var status = stat()
    guard unsafe stat(ByteText(path).cString, &status) == 0 else { return nil }
    var record = UdevRecord()
    record.read(database: file.bytes)
    return Entry(
      record: record,
      currentTags: UdevDatabase.tellsCurrentTags(file.bytes)
        ? Set(record.currentTags.map { UdevRuleText($0) }) : nil,
      written: Int64(status.st_mtim.tv_sec))
  }

  /// Returns an attribute, or `nil` if it could not be read, for example because only root may read
  /// it.
  ///
  /// If the attribute is a symbolic link, only `driver`, `subsystem` and `module` have a value,
  /// which is the last component of the target, as in sd-device(3).
  func attribute(_ name: UdevRuleText, of device: UdevRuleDevice) -> UdevRuleFact<UdevRuleText>? {
    let parts = name.bytes.split(separator: UInt8(ascii: "/"))
    guard !name.isEmpty, name.bytes.count < 1024, !name.bytes.contains(0),
      !parts.contains(where: { $0.elementsEqual("..".utf8) })
    else { return nil }
    let path =
      roots.sysfs + ByteText(bytes: device.path.bytes).text + "/"
      + ByteText(bytes: name.bytes).text
    var status = stat()
    guard unsafe lstat(ByteText(path).cString, &status) == 0 else {
      return Errno.current == .permissionDenied ? nil : .absent
    }
    switch status.st_mode & S_IFMT {
    case S_IFLNK:
      guard ["driver", "subsystem", "module"].contains(name.description),
        let target = Self.lastName(SymbolicLink.target(of: path))
      else { return .absent }
      return .present(UdevRuleText(target))
    case S_IFREG where status.st_mode & S_IRUSR != 0: break
    default: return .absent
    }
    do throws(Errno) {
      var bytes = try BoundedFile.read(path, limit: 4096).bytes.prefix { $0 != 0 }
      while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
      return .present(UdevRuleText(Array(bytes)))
    } catch {
      return error.isOfRefusal ? nil : .absent
    }
  }

  private static func lastName(_ path: String?) -> String? {
    path.flatMap { $0.split(separator: "/").last }.map(String.init)
  }
}
