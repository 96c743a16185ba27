internal import AccessModel
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

  /// Returns a device's database file, or `nil` if udevd has not processed it or is not running.
  func file(of device: DeviceFacts) -> [UInt8]? {
    guard let name = Self.fileName(of: device) else { return nil }
    return try? BoundedFile.read("\(folder)/\(name)", limit: 1 << 18).bytes
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
      return "\(device.subsystem == "block" ? "b" : "c")\(number.major):\(number.minor)"
    }
    guard !device.kernelName.contains("/") else { return nil }
    return "+\(device.subsystem):\(device.kernelName)"
  }
}
