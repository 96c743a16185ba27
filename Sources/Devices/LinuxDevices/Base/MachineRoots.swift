internal import AccessModel

/// The directories from which the facts of a machine are read.
///
/// Roots other than the default describe another machine.
public struct MachineRoots: Hashable, Sendable {
  /// The mount point of sysfs.
  public var sysfs = "/sys"
  /// The mount point of procfs.
  public var proc = "/proc"
  /// The directory of the system's configuration.
  public var etc = "/etc"
  /// The directory of run-time data, such as udev's database.
  public var run = "/run"
  /// The directory that contains the kernel modules, with a subdirectory for each kernel.
  public var modules = "/lib/modules"
  /// The directory of configuration that packages install, such as `modprobe.d`.
  public var lib = "/usr/lib"

  /// Creates the roots of this machine.
  public init() {}

  /// Returns the distribution from `ID=` in os-release(5), such as `debian`; `nil` if it is
  /// unknown.
  func distribution() -> String? {
    let limit = 1 << 14
    guard
      let contents = (try? BoundedFile.read("\(etc)/os-release", limit: limit))
        ?? (try? BoundedFile.read("\(lib)/os-release", limit: limit))
    else { return nil }
    let key = Array("ID=".utf8)
    let line = contents.bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key) }
    guard let line else { return nil }
    let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    let word = line.dropFirst(key.count).filter { !quotes.contains($0) }
    let isPlain = word.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
        || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte)
    }
    guard !word.isEmpty, word.count <= 64, isPlain else { return nil }
    return String(decoding: word, as: UTF8.self)
  }

  /// Returns whether systemd is the service manager (sd_booted(3)).
  ///
  /// - Parameter root: The path of the subject's root directory, without a trailing slash.
  /// - Returns: `true` if systemd is the service manager; `nil` if that cannot be determined.
  func hasSystemd(below root: String = "") -> Bool? {
    do throws(Errno) {
      return try Directory.names(in: "\(root)\(run)/systemd/system") != nil
    } catch {
      return nil
    }
  }
}
