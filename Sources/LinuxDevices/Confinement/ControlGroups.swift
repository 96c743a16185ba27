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
      // 5:cpu,devices:/path — the path may hold colons.
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

  /// The unit in a control group's path: its first service or scope.
  ///
  /// systemd puts `_` before a name that could be one of the kernel's files (`cg_escape`).
  static func unit(in path: String) -> String? {
    path.parts(at: "/").first(where: isUnit)
      .map { String($0.hasPrefix("_") ? $0.dropFirst() : $0) }
  }

  /// Whether a path is that of a group below the one of its unit, as a service with `Delegate=` and a
  /// container make them.
  static func isBelowUnit(_ path: String) -> Bool {
    let names = path.parts(at: "/")
    return names.firstIndex(where: isUnit).map { $0 != names.endIndex - 1 } ?? false
  }

  private static func isUnit(_ name: Substring) -> Bool {
    name.hasSuffix(".service") || name.hasSuffix(".scope")
  }
}
