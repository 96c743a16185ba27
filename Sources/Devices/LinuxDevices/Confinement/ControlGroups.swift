internal import AccessModel

/// The control groups of a thread, from `/proc/PID/cgroup` (cgroups(7)).
struct ControlGroups: Hashable, Sendable {
  /// The path in the unified hierarchy (version 2).
  var unified: String?
  /// The path in the version 1 hierarchy with the `devices` controller.
  var devices: String?
  /// The path in systemd's own version 1 hierarchy.
  var systemd: String?

  init(parsing bytes: [UInt8]) {
    for line in bytes.split(separator: ByteScanner.newline) {
      // The path in 5:cpu,devices:/path may contain colons.
      let fields = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[2].first == UInt8(ascii: "/") else { continue }
      let path = ByteText(bytes: fields[2].prefix(4096)).text
      let controllers = String(decoding: fields[1], as: UTF8.self).split(separator: ",")
      if fields[0].elementsEqual([UInt8(ascii: "0")]) && controllers.isEmpty {
        unified = path
      } else if controllers.contains("devices") {
        devices = path
      } else if controllers.contains("name=systemd") {
        systemd = path
      }
    }
  }

  /// Returns the unit of a control group, which is the first service or scope in its path.
  ///
  /// systemd adds the prefix `_` to a name that could be mistaken for a kernel file (`cg_escape`).
  static func unit(in path: String) -> String? {
    path.parts(at: "/").first(where: isUnit)
      .map { String($0.hasPrefix("_") ? $0.dropFirst() : $0) }
  }

  /// Returns whether a control group is below the group of its unit.
  ///
  /// Containers and services with `Delegate=` create such groups.
  static func isBelowUnit(_ path: String) -> Bool {
    let names = path.parts(at: "/")
    return names.firstIndex(where: isUnit).map { $0 != names.endIndex - 1 } ?? false
  }

  private static func isUnit(_ name: Substring) -> Bool {
    name.hasSuffix(".service") || name.hasSuffix(".scope")
  }
}
