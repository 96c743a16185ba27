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
  ///
  /// - Throws: `ENOENT` where nothing is mounted that lists subsystems, and every other error that
  ///   keeps a device from being found.
  borrowing func devices(inSubsystem subsystem: String) throws(Errno) -> [String] {
    guard !subsystem.isEmpty, !subsystem.utf8.contains(UInt8(ascii: "/")) else { return [] }
    // A subsystem is a class or a bus.
    for directory in ["\(root)/class/\(subsystem)", "\(root)/bus/\(subsystem)/devices"] {
      guard let names = try Self.names(in: directory) else { continue }
      var devices: [String] = []
      for name in names {
        let link = "\(directory)/\(name)"
        // One that is gone was unplugged meanwhile.
        guard let target = try Self.link(at: link) else { continue }
        devices.append(DeviceLink.resolve(target, from: link))
      }
      return devices
    }
    // A kernel without classes lists none; a hidden sysfs tells nothing.
    guard try Self.names(in: "\(root)/class") != nil else { throw .noSuchFile }
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

  static func target(of link: String) -> String? { try? self.link(at: link) }

  /// The target of a symbolic link; `nil` when there is no link.
  static func link(at path: String) throws(Errno) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(ByteText(path).cString, &buffer, 4096)
    if count < 0 {
      let failure = Errno.current
      // EINVAL: something else than a link.
      let isMissing = [.noSuchFile, .notADirectory, Errno(rawValue: EINVAL)].contains(failure)
      if isMissing { return nil }
      throw failure
    }
    guard count < 4096 else { throw .nameTooLong }
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
    Glibc.errno = 0
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe ByteText(bytes: bytes.prefix { $0 != 0 }).text
      }
      if name != ".", name != ".." { names.append(name) }
      Glibc.errno = 0
    }
    // The end and a failure look the same but for this.
    guard Glibc.errno == 0 else { throw .current }
    return names
  }
}
