internal import AccessModel
internal import CLinux
internal import Glibc

/// The udev daemon's database, which has a file for each device in `/run/udev/data`.
struct UdevDatabase {
  var roots: MachineRoots

  /// The folder that contains the files.
  var folder: String { "\(roots.run)/udev/data" }

  /// The error that prevents searching the folder; `nil` if it can be searched.
  var folderFailure: Errno? {
    unsafe access(folder, X_OK) == 0 ? nil : .current
  }

  /// Returns whether the folder exists in a subject's filesystem.
  ///
  /// - Parameter root: The path of the subject's root directory, without a trailing slash.
  /// - Returns: A Boolean value, or `nil` if the existence cannot be determined.
  func isThere(below root: String) -> Bool? {
    if unsafe access(root + folder, F_OK) == 0 { return true }
    return Errno.current == .noSuchFile ? false : nil
  }

  /// Returns the error that prevents determining whether udevd has processed a device; `nil` if
  /// none.
  func failure(of device: DeviceFacts) -> Errno? {
    if let folderFailure { return folderFailure }
    guard let name = Self.fileName(of: device) else { return nil }
    do throws(Errno) {
      _ = try BoundedFile.read("\(folder)/\(name)", limit: 1)
      return nil
    } catch {
      return error == .noSuchFile ? nil : error
    }
  }

  /// Returns the contents of a device's database file; `nil` if there is none or it cannot be read.
  func file(of device: DeviceFacts) -> [UInt8]? {
    Self.fileName(of: device).flatMap(contents)
  }

  private func contents(_ name: String) -> [UInt8]? {
    try? BoundedFile.read("\(folder)/\(name)", limit: 1 << 18).bytes
  }

  /// Returns the time when udevd first processed a device, in microseconds since boot.
  ///
  /// The result is `nil` if the database has no file for the device.
  func initializationTime(of number: DeviceNumber, isBlock: Bool) -> UInt64? {
    contents(Self.fileName(of: number, isBlock: isBlock)).flatMap(
      Self.initializationTime(parsing:))
  }

  /// Returns the time in the line `I:` of a database file.
  static func initializationTime(parsing file: [UInt8]) -> UInt64? {
    let key = Array("I:".utf8)
    let line = file.split(separator: ByteScanner.newline).first { $0.starts(with: key) }
    return line.flatMap { String(validating: $0.dropFirst(2), as: UTF8.self) }.flatMap {
      UInt64($0)
    }
  }

  /// A Boolean value that indicates whether udevd is running or can be socket-activated.
  ///
  /// The value depends on udevd's control socket. It is `nil` if the database is hidden, because
  /// the socket may then be hidden too. On a system without systemd, udev's whole folder may be
  /// missing because udev is not installed.
  var hasControl: Bool? {
    if unsafe access("\(roots.run)/udev/control", F_OK) == 0 { return true }
    guard Errno.current == .noSuchFile else { return nil }
    if folderFailure == nil { return false }
    let isMissing =
      unsafe access("\(roots.run)/udev", F_OK) != 0 && Errno.current == .noSuchFile
      && access(roots.run, X_OK) == 0
    return isMissing && roots.hasSystemd() == false ? false : nil
  }

  /// A Boolean value that indicates whether udevd is installed at its usual path.
  var hasDaemon: Bool {
    unsafe access("\(roots.lib)/systemd/systemd-udevd", X_OK) == 0
  }

  /// Returns whether a database file distinguishes current tags from previous ones.
  ///
  /// systemd 247 and later write a version line, `V:1`, into each file.
  static func tellsCurrentTags(_ file: [UInt8]) -> Bool {
    file.split(separator: ByteScanner.newline).contains { line in
      line.starts(with: [UInt8(ascii: "V"), UInt8(ascii: ":")])
    }
  }

  /// Returns the name of a device's file, such as `c81:0`, or `+subsystem:name` without a number.
  private static func fileName(of device: DeviceFacts) -> String? {
    if let number = device.number {
      return fileName(of: number, isBlock: device.subsystem == "block")
    }
    guard !device.kernelName.contains("/") else { return nil }
    return "+\(device.subsystem):\(device.kernelName)"
  }

  private static func fileName(of number: DeviceNumber, isBlock: Bool) -> String {
    "\(isBlock ? "b" : "c")\(number.major):\(number.minor)"
  }
}

/// The facts about a device on a recorded machine, from sysfs and the udev database.
///
/// libudev always uses `/sys` and `/run/udev`, so files in other places are parsed here.
struct UdevRecord {
  var properties: [String: String] = [:]
  var tags: [String] = []
  var currentTags: [String] = []
  var links: [String] = []
  /// A Boolean value that indicates whether the database has a file for the device.
  var isInitialized = false

  /// Parses a `uevent` file of sysfs, which consists of `KEY=value` lines.
  mutating func read(uevent bytes: [UInt8]) {
    for line in bytes.split(separator: ByteScanner.newline) { readProperty(line) }
    // The kernel reports the node's name without `/dev/`.
    if let name = properties["DEVNAME"], name.utf8.first != UInt8(ascii: "/") {
      properties["DEVNAME"] = "/dev/\(name)"
    }
  }

  /// Parses a database file; each line consists of a letter, a colon and a value.
  mutating func read(database bytes: [UInt8]) {
    isInitialized = true
    for line in bytes.split(separator: ByteScanner.newline) {
      guard line.dropFirst().first == UInt8(ascii: ":"), let letter = line.first else { continue }
      let value = line.dropFirst(2)
      let text = String(repairing: value, limit: UdevDevice.textLimit)
      switch letter {
      case UInt8(ascii: "E"): readProperty(value)
      case UInt8(ascii: "G") where tags.count < UdevDevice.countLimit: tags.append(text)
      case UInt8(ascii: "Q") where currentTags.count < UdevDevice.countLimit:
        currentTags.append(text)
      case UInt8(ascii: "S") where links.count < UdevDevice.countLimit: links.append("/dev/\(text)")
      default: continue
      }
    }
  }

  private mutating func readProperty(_ line: ArraySlice<UInt8>) {
    guard properties.count < UdevDevice.countLimit,
      let sign = line.firstIndex(of: UInt8(ascii: "="))
    else { return }
    properties[String(repairing: line[..<sign], limit: 256)] =
      String(repairing: line[(sign + 1)...], limit: UdevDevice.textLimit)
  }
}

/// A stamp that changes with every device event.
///
/// If two stamps are equal, no device event occurred in between. The kernel counts its events, and
/// udev replaces a file in its database for each device that it processes.
package struct DeviceEventStamp: Hashable, Sendable {
  private let events: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// The minimum age of the last change to udev's database, in nanoseconds.
  ///
  /// The kernel's clock for timestamps advances in steps of some milliseconds, so two changes
  /// within one step would have the same timestamp.
  private static let rest: Int64 = 100_000_000

  /// The current stamp; `nil` if it cannot be determined or udev has just changed its database.
  package static var current: DeviceEventStamp? {
    guard let line = try? BoundedFile.line("/sys/kernel/uevent_seqnum", limit: 32),
      let events = UInt64(line)
    else { return nil }
    var status = stat()
    var now = timespec()
    guard unsafe stat("/run/udev/data", &status) == 0,
      unsafe clock_gettime(CLOCK_REALTIME, &now) == 0
    else { return nil }
    let time = status.st_mtim
    let age =
      (Int64(now.tv_sec) &- Int64(time.tv_sec)) &* 1_000_000_000
      &+ Int64(now.tv_nsec) &- Int64(time.tv_nsec)
    guard age > rest else { return nil }
    return DeviceEventStamp(events: events, seconds: time.tv_sec, nanoseconds: time.tv_nsec)
  }
}
