internal import AccessModel

/// Reads the device tree in sysfs through its links and directories.
///
/// For each query about a device or its parent, libudev inspects every component of the path.
/// Reading the links directly takes one system call per link, and siblings share their parents'
/// results.
struct SysfsTree: ~Copyable {
  /// The links of a directory in the tree that describe its device.
  private struct Level {
    var driver: String?
    var subsystem: String?
  }

  private let root: String
  private var directories: [String: Level] = [:]

  init(root: String) {
    self.root = root
  }

  /// Returns the paths of a subsystem's devices in no particular order.
  ///
  /// The result is empty if the subsystem does not exist.
  ///
  /// - Throws: `ENOENT` if sysfs is not mounted or is hidden, or any other error that prevents
  ///   listing the devices.
  borrowing func devices(inSubsystem subsystem: String) throws(Errno) -> [String] {
    guard !subsystem.isEmpty, !subsystem.utf8.contains(UInt8(ascii: "/")) else { return [] }
    // A subsystem is a class or a bus.
    for directory in ["\(root)/class/\(subsystem)", "\(root)/bus/\(subsystem)/devices"] {
      guard let names = try Directory.names(in: directory) else { continue }
      var devices: [String] = []
      for name in names {
        let link = "\(directory)/\(name)"
        // A missing link means that the device was unplugged after the folder was listed.
        guard let target = try SymbolicLink.read(link) else { continue }
        devices.append(SymbolicLink.resolve(target, from: link))
      }
      return devices
    }
    // An existing `class` folder shows that sysfs is visible and that the subsystem does not exist.
    guard try Directory.names(in: "\(root)/class") != nil else { throw .noSuchFile }
    return []
  }

  /// Returns the driver of the nearest parent that has one.
  mutating func driver(above path: String) -> String? {
    var path = AbsolutePath.parent(of: path)
    while isDevice(path) {
      if let driver = directory(path).driver { return driver }
      path = AbsolutePath.parent(of: path)
    }
    return nil
  }

  /// Returns the subsystem of the nearest parent that differs from the device's own, such as `usb`.
  mutating func bus(above path: String, besides own: String) -> String? {
    var path = AbsolutePath.parent(of: path)
    while isDevice(path) {
      if let subsystem = directory(path).subsystem, subsystem != own { return subsystem }
      path = AbsolutePath.parent(of: path)
    }
    return nil
  }

  private borrowing func isDevice(_ path: String) -> Bool {
    // Folders such as /sys/devices and /sys/devices/virtual are not devices.
    path.utf8.count > root.utf8.count + "/devices/".utf8.count
  }

  private mutating func directory(_ path: String) -> Level {
    if let known = directories[path] { return known }
    let directory = Level(
      driver: SymbolicLink.target(of: "\(path)/driver").map(Self.lastName),
      subsystem: SymbolicLink.target(of: "\(path)/subsystem").map(Self.lastName))
    directories[path] = directory
    return directory
  }

  private static func lastName(_ path: String) -> String {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
    return String(repairing: name, limit: 256)
  }
}
