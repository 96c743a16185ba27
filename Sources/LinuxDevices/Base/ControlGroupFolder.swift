internal import AccessModel

/// A control group as a directory (cgroups(7)).
///
/// The control group of a unit exists while the unit runs, so that nothing has to ask the bus who runs.
struct ControlGroupFolder {
  let path: String

  /// The top of each hierarchy in which systemd may keep its own groups.
  ///
  /// These are version 2, systemd's own hierarchy of version 1, and version 2 beside version 1.
  static func hierarchies(_ roots: MachineRoots) -> [ControlGroupFolder] {
    ["", "/systemd", "/unified"].map { ControlGroupFolder(path: "\(roots.sysfs)/fs/cgroup\($0)") }
  }

  /// The group of a name, or of a path of names, in this one.
  func group(_ name: String) -> ControlGroupFolder { ControlGroupFolder(path: "\(path)/\(name)") }

  /// The file that lists the processes of a group.
  static let list = "cgroup.procs"

  /// More bytes of a list are not read: the numbers of some 8,000 processes.
  private static let mostBytes = 1 << 16
  /// More groups are not looked into for the processes of one.
  private static let mostGroups = 256

  /// Whether a process runs in this very group, one of another PID namespace included.
  var hasProcesses: Bool { contents?.bytes.isEmpty == false }

  /// The processes of this very group, in the kernel's order; none where they cannot be read.
  ///
  /// Those of another PID namespace are zeros in the list (`cgroup_procs_show`), and are left out.
  var processes: [Int32] {
    guard let file = contents else { return [] }
    var lines = file.bytes.split(separator: ByteScanner.newline)
    // What was cut off may be the number of another process.
    if file.isTruncated { lines = lines.dropLast() }
    return lines.compactMap(ByteScanner.number).compactMap { Int32(exactly: $0) }.filter { $0 > 0 }
  }

  /// The processes of this group and of those below it, at most `limit`, the nearest groups first.
  func allProcesses(limit: Int) -> [Int32] {
    var processes: [Int32] = []
    var groups = [self]
    var looked = 0
    while looked < groups.count, looked < Self.mostGroups, processes.count < limit {
      let group = groups[looked]
      looked += 1
      processes += group.processes
      groups += group.names.prefix(Self.mostGroups).map(group.group)
    }
    return Array(processes.prefix(limit))
  }

  private var contents: BoundedFile.Contents? {
    try? BoundedFile.read("\(path)/\(Self.list)", limit: Self.mostBytes)
  }

  /// The names of the groups in this one, sorted; none where they cannot be read.
  var names: [String] {
    let entries = (try? Directory.entries(in: path)) ?? nil
    return (entries ?? []).filter { !$0.isRegular }.map(\.name).sorted()
  }
}
