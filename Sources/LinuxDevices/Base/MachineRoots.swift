internal import AccessModel

/// The directories that a machine's facts are read from; other roots show another machine.
public struct MachineRoots: Hashable, Sendable {
  /// The mount point of sysfs.
  public var sysfs = "/sys"
  /// The mount point of procfs.
  public var proc = "/proc"
  /// The directory of the administrator's configuration.
  public var etc = "/etc"
  /// The directory of the state of running services, such as udev's database.
  public var run = "/run"
  /// The directory of the modules of each installed kernel.
  public var modules = "/lib/modules"
  /// The directory of the configuration that packages install, such as `modprobe.d`.
  public var lib = "/usr/lib"

  /// Creates the roots of this machine.
  public init() {}

  /// Returns the distribution, from `ID=` in os-release(5), such as `debian`; `nil` if it is
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

  /// Returns a Boolean value that indicates whether systemd is the service manager (sd_booted(3)).
  ///
  /// - Parameter root: The root directory of the subject, without a slash at the end.
  /// - Returns: The answer; `nil` if it is unknown.
  func hasSystemd(below root: String = "") -> Bool? {
    do throws(Errno) {
      return try Directory.names(in: "\(root)\(run)/systemd/system") != nil
    } catch {
      return nil
    }
  }
}
