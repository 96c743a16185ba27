internal import AccessModel

/// Where a machine's facts are read from; other roots show another machine.
public struct MachineRoots: Hashable, Sendable {
  /// Where sysfs is mounted.
  public var sysfs = "/sys"
  /// Where procfs is mounted.
  public var proc = "/proc"
  /// Where the administrator's configuration is.
  public var etc = "/etc"
  /// Where the state of running services is, such as udev's database.
  public var run = "/run"
  /// The modules of each installed kernel.
  public var modules = "/lib/modules"
  /// Where packages put their configuration, such as `modprobe.d`.
  public var lib = "/usr/lib"

  /// Creates the roots of this machine.
  public init() {}

  /// The distribution, by `ID=` of os-release(5), such as `debian`; `nil` if it is not known.
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

  /// Whether systemd is the service manager (sd_booted(3)).
  ///
  /// - Parameter root: What the subject sees as `/`, without a slash at its end.
  /// - Returns: The answer; `nil` when it cannot be told.
  func hasSystemd(below root: String = "") -> Bool? {
    do throws(Errno) {
      return try Directory.names(in: "\(root)\(run)/systemd/system") != nil
    } catch {
      return nil
    }
  }
}
