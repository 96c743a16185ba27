internal import AccessModel
internal import Glibc

/// The tree of devices in sysfs, as far as its links and directories tell.
///
/// libudev looks at every component of a path once for each question about a device or a parent;
/// reading the links directly takes one system call each, and siblings share their parents.
struct SysfsTree: ~Copyable {
  /// What a directory in the tree says of itself.
  private struct Directory {
    var driver: String?
    var subsystem: String?
  }

  private let root: String
  private var directories: [String: Directory] = [:]

  init(root: String) {
    self.root = root
  }

  /// The paths of the devices of a subsystem, in no order; empty when there is no such subsystem.
  borrowing func devices(inSubsystem subsystem: String) throws(Errno) -> [String] {
    guard !subsystem.isEmpty, !subsystem.utf8.contains(UInt8(ascii: "/")) else { return [] }
    // A subsystem is a class or a bus.
    for directory in ["\(root)/class/\(subsystem)", "\(root)/bus/\(subsystem)/devices"] {
      guard let names = try Self.names(in: directory) else { continue }
      return names.compactMap { name in
        Self.target(of: "\(directory)/\(name)").map {
          DeviceLink.resolve($0, from: "\(directory)/\(name)")
        }
      }
    }
    return []
  }

  /// The driver of the nearest directory above a device that has one.
  mutating func driver(above path: String) -> String? {
    var path = PathWalk.parent(of: path)
    while isDevice(path) {
      if let driver = directory(path).driver { return driver }
      path = PathWalk.parent(of: path)
    }
    return nil
  }

  /// The nearest subsystem above a device that is another one than its own, such as `usb`.
  mutating func bus(above path: String, besides own: String) -> String? {
    var path = PathWalk.parent(of: path)
    while isDevice(path) {
      if let subsystem = directory(path).subsystem, subsystem != own { return subsystem }
      path = PathWalk.parent(of: path)
    }
    return nil
  }

  private borrowing func isDevice(_ path: String) -> Bool {
    // /sys/devices, /sys/devices/virtual and their likes are no devices.
    path.utf8.count > root.utf8.count + "/devices/".utf8.count
  }

  private mutating func directory(_ path: String) -> Directory {
    if let known = directories[path] { return known }
    let directory = Directory(
      driver: Self.target(of: "\(path)/driver").map(Self.lastName),
      subsystem: Self.target(of: "\(path)/subsystem").map(Self.lastName))
    directories[path] = directory
    return directory
  }

  private static func lastName(_ path: String) -> String {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
    return String(repairing: name, limit: 256)
  }

  static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(ByteText(link).cString, &buffer, 4096)
    guard count > 0, count < 4096 else { return nil }
    return ByteText(bytes: buffer.prefix(count).map { UInt8(bitPattern: $0) }).text
  }

  /// The names in a directory; `nil` when there is none.
  static func names(in path: String) throws(Errno) -> [String]? {
    guard let directory = unsafe opendir(ByteText(path).cString) else {
      if Errno.current == .noSuchFile { return nil }
      throw .current
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe ByteText(bytes: bytes.prefix { $0 != 0 }).text
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
