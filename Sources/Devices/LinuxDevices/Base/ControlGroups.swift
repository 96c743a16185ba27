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

/// A control group, accessed through its directory (cgroups(7)).
///
/// The control group of a unit exists while the unit runs, so running units can be found without a
/// D-Bus call.
struct ControlGroupFolder {
  let path: String

  /// Returns the root of each hierarchy in which systemd may keep its groups.
  ///
  /// These are the version 2 hierarchy, systemd's own version 1 hierarchy, and the version 2
  /// hierarchy that is mounted next to version 1 in hybrid mode.
  static func hierarchies(_ roots: MachineRoots) -> [ControlGroupFolder] {
    ["", "/systemd", "/unified"].map { ControlGroupFolder(path: "\(roots.sysfs)/fs/cgroup\($0)") }
  }

  /// Returns the group below this one with the given name or relative path.
  func group(_ name: String) -> ControlGroupFolder { ControlGroupFolder(path: "\(path)/\(name)") }

  /// The file that lists the processes of a group.
  static let list = "cgroup.procs"

  /// The maximum number of bytes to read from a list, enough for about 8,000 process IDs.
  private static let mostBytes = 1 << 16
  /// The maximum number of groups to visit when collecting processes.
  private static let mostGroups = 256

  /// A Boolean value that indicates whether any process is directly in this group.
  ///
  /// Processes of other PID namespaces are included. The value is `false` if the list cannot be
  /// read.
  var hasProcesses: Bool { contents?.bytes.isEmpty == false }

  /// The processes directly in this group, in the kernel's order; empty if they cannot be read.
  ///
  /// The kernel lists a process of another PID namespace as 0 (`cgroup_procs_show`). Such processes
  /// are left out.
  var processes: [Int32] {
    guard let file = contents else { return [] }
    var lines = file.bytes.split(separator: ByteScanner.newline)
    // A truncated last line could be the ID of another process.
    if file.isTruncated { lines = lines.dropLast() }
    return lines.compactMap(ByteScanner.number).compactMap { Int32(exactly: $0) }.filter { $0 > 0 }
  }

  /// Returns the processes of this group and its descendants, at most `limit`, nearest groups
  /// first.
  func allProcesses(limit: Int) -> [Int32] {
    var processes: [Int32] = []
    var groups = [self]
    var scanned = 0
    while scanned < groups.count, scanned < Self.mostGroups, processes.count < limit {
      let group = groups[scanned]
      scanned += 1
      processes += group.processes
      groups += group.names.prefix(Self.mostGroups).map(group.group)
    }
    return Array(processes.prefix(limit))
  }

  private var contents: BoundedFile.Contents? {
    try? BoundedFile.read("\(path)/\(Self.list)", limit: Self.mostBytes)
  }

  /// The names of the child groups, sorted; empty if they cannot be read.
  var names: [String] {
    let entries = (try? Directory.entries(in: path)) ?? nil
    return (entries ?? []).filter { !$0.isRegular }.map(\.name).sorted()
  }
}
