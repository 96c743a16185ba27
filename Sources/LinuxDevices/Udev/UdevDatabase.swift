internal import AccessModel
internal import Glibc

/// The files that the udev daemon keeps of each device, below `/run/udev/data`.
struct UdevDatabase {
  var roots: MachineRoots

  /// The folder of the files.
  var folder: String { "\(roots.run)/udev/data" }

  /// Why nothing in the folder can be seen; `nil` when it can.
  var folderFailure: Errno? {
    unsafe access(folder, X_OK) == 0 ? nil : .current
  }

  /// Whether there is a folder of the files at all.
  ///
  /// - Parameter root: What the subject sees as `/`, without a slash at its end.
  /// - Returns: The answer; `nil` when it cannot be told.
  func isThere(below root: String) -> Bool? {
    if unsafe access(root + folder, F_OK) == 0 { return true }
    return Errno.current == .noSuchFile ? false : nil
  }

  /// Why it cannot be told whether the daemon has finished with a device; `nil` when it can.
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

  /// The file of a device; `nil` when the daemon has not processed it, or does not run.
  func file(of device: DeviceFacts) -> [UInt8]? {
    guard let name = Self.fileName(of: device) else { return nil }
    return try? BoundedFile.read("\(folder)/\(name)", limit: 1 << 18).bytes
  }

  /// Whether a daemon runs or is started by the next event: its control socket exists then.
  ///
  /// `nil` when the database is hidden, and with it perhaps the socket. Without systemd there need
  /// not be a udev at all, and then all of its folder is missing.
  var hasControl: Bool? {
    if unsafe access("\(roots.run)/udev/control", F_OK) == 0 { return true }
    guard Errno.current == .noSuchFile else { return nil }
    if folderFailure == nil { return false }
    let isMissing =
      unsafe access("\(roots.run)/udev", F_OK) != 0 && Errno.current == .noSuchFile
      && access(roots.run, X_OK) == 0
    return isMissing && roots.hasSystemd() == false ? false : nil
  }

  /// Whether the daemon is installed where it is started from.
  var hasDaemon: Bool {
    unsafe access("\(roots.lib)/systemd/systemd-udevd", X_OK) == 0
  }

  /// Whether the daemon tells the tags that hold now from those that ever did.
  ///
  /// systemd 247 and later write a version line, `V:1`, into each file.
  static func tellsCurrentTags(_ file: [UInt8]) -> Bool {
    file.split(separator: ByteScanner.newline).contains { line in
      line.starts(with: [UInt8(ascii: "V"), UInt8(ascii: ":")])
    }
  }

  /// The name of a device's file: `c81:0` by number, or `+subsystem:name` without one.
  private static func fileName(of device: DeviceFacts) -> String? {
    if let number = device.number {
      return "\(device.subsystem == "block" ? "b" : "c")\(number.major):\(number.minor)"
    }
    guard !device.kernelName.contains("/") else { return nil }
    return "+\(device.subsystem):\(device.kernelName)"
  }
}
