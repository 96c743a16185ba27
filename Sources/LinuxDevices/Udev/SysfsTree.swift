internal import AccessModel

/// The tree of devices in sysfs, as far as its links and directories tell.
///
/// libudev looks at every component of a path once for each question about a device or a parent;
/// reading the links directly takes one system call each, and siblings share their parents.
struct SysfsTree: ~Copyable {
  /// What a directory in the tree says of itself.
  private struct Level {
    var driver: String?
    var subsystem: String?
  }

  private let root: String
  private var directories: [String: Level] = [:]

  init(root: String) {
    self.root = root
  }

  /// The paths of the devices of a subsystem, in no order; empty when there is no such subsystem.
  ///
  /// - Throws: `ENOENT` where nothing is mounted that lists subsystems, and every other error that
  ///   keeps a device from being found.
  borrowing func devices(inSubsystem subsystem: String) throws(Errno) -> [String] {
    guard !subsystem.isEmpty, !subsystem.utf8.contains(UInt8(ascii: "/")) else { return [] }
    // A subsystem is a class or a bus.
    for directory in ["\(root)/class/\(subsystem)", "\(root)/bus/\(subsystem)/devices"] {
      guard let names = try Directory.names(in: directory) else { continue }
      var devices: [String] = []
      for name in names {
        let link = "\(directory)/\(name)"
        // One that is gone was unplugged meanwhile.
        guard let target = try SymbolicLink.read(link) else { continue }
        devices.append(SymbolicLink.resolve(target, from: link))
      }
      return devices
    }
    // A kernel without classes lists none; a hidden sysfs tells nothing.
    guard try Directory.names(in: "\(root)/class") != nil else { throw .noSuchFile }
    return []
  }

  /// The driver of the nearest directory above a device that has one.
  mutating func driver(above path: String) -> String? {
    var path = AbsolutePath.parent(of: path)
    while isDevice(path) {
      if let driver = directory(path).driver { return driver }
      path = AbsolutePath.parent(of: path)
    }
    return nil
  }

  /// The nearest subsystem above a device that is another one than its own, such as `usb`.
  mutating func bus(above path: String, besides own: String) -> String? {
    var path = AbsolutePath.parent(of: path)
    while isDevice(path) {
      if let subsystem = directory(path).subsystem, subsystem != own { return subsystem }
      path = AbsolutePath.parent(of: path)
    }
    return nil
  }

  private borrowing func isDevice(_ path: String) -> Bool {
    // /sys/devices, /sys/devices/virtual and their likes are no devices.
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
