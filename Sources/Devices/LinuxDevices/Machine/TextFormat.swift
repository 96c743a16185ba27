internal import AccessModel

/// The formats of files and other data that this module parses.
///
/// The fuzzer, and the test that reads its corpus, use this type to access all parsers.
package enum TextFormat: String, CaseIterable, Sendable {
  /// `/proc/PID/mountinfo` (proc_pid_mountinfo(5)).
  case mountinfo
  /// `/etc/passwd` (passwd(5)).
  case passwd
  /// `/etc/group` (group(5)).
  case group
  /// `/proc/PID/status` (proc_pid_status(5)).
  case status
  /// `/proc/PID/uid_map` and `gid_map` (user_namespaces(7)).
  case idMap = "id-map"
  /// The extended attribute `system.posix_acl_access` (acl(5), `struct posix_acl_xattr_entry`).
  case accessControlList = "acl"
  /// `user-dirs.dirs` (xdg-user-dirs).
  case userDirectories = "user-dirs"
  /// A file below `/run/udev/data`.
  case udevDatabase = "udev-database"
  /// The attribute `uevent` in sysfs.
  case uevent
  /// `/proc/PID/cgroup` (cgroups(7)).
  case controlGroups = "cgroup"
  /// `devices.list` of the version 1 device controller.
  case deviceCgroup = "devices-list"
  /// `/proc/devices` (proc_devices(5)).
  case deviceClasses = "devices"
  /// `/proc/PID/stat` (proc_pid_stat(5)).
  case processStat = "process-stat"
  /// `/proc/PID/fdinfo/N` (proc_pid_fdinfo(5)).
  case descriptor = "fdinfo"
  /// `/proc/PID/maps` (proc_pid_maps(5)).
  case mappings = "maps"
  /// `/proc/asound/card*/pcm*/sub*/status`.
  case soundStream = "pcm-status"
  /// A message from a PipeWire daemon.
  case pipeWire = "pipewire"
  /// A systemd unit file or drop-in (systemd.syntax(7)).
  case unit

  /// Parses bytes in this format, and uses the result as the observers do.
  ///
  /// Malformed input is not an error. The parsers skip it or return nothing.
  ///
  /// - Returns: The number of parsed records, which is never greater than the number of bytes.
  package func records(in bytes: [UInt8]) -> Int {
    switch self {
    case .mountinfo: mounts(bytes)
    case .passwd: AccountFile(users: bytes).lines.count
    case .group: AccountFile(groups: bytes).lines.count
    case .status: status(ThreadStatus(parsing: bytes))
    case .idMap: ranges(bytes)
    case .accessControlList: ACLEntry.list(parsing: bytes)?.count ?? 0
    case .userDirectories: directories(bytes)
    case .udevDatabase: record(bytes) { $0.read(database: bytes) }
    case .uevent: record(bytes) { $0.read(uevent: bytes) }
    case .controlGroups: groups(ControlGroups(parsing: bytes))
    case .deviceCgroup: DeviceCgroup.parse(list: bytes).cgroup?.exceptions.count ?? 0
    case .deviceClasses: classes(DeviceClasses(parsing: bytes))
    case .processStat: ProcessStat(parsing: bytes) == nil ? 0 : 1
    case .descriptor: DescriptorFlags(parsing: bytes) == nil ? 0 : 1
    case .mappings: mappings(bytes)
    case .soundStream: stream(SoundStream.status(parsing: bytes))
    case .pipeWire: messages(bytes)
    case .unit: settings(UnitFile(parsing: bytes))
    }
  }

  private func mounts(_ bytes: [UInt8]) -> Int {
    let table = MountTable(parsing: bytes)
    for entry in table.entries.prefix(64) {
      let point = entry.point
      _ = table.mount(of: point, id: nil)
      _ = table.mount(of: point + "/name", id: entry.id)
      _ = Mount(entry, at: point, inUserNamespace: true)
    }
    return table.entries.count
  }

  private func mappings(_ bytes: [UInt8]) -> Int {
    var count = 0
    _ = MappingTable.read(bytes.span) { file, isShared in
      isShared && file.inode % 2 == 0
    } _: { _ in
      count += 1
    }
    return count
  }

  private func stream(_ status: SoundStream.Status?) -> Int {
    guard let status else { return 0 }
    if case .open(let stream) = status { _ = stream.streamingSince(now: .max, sinceBoot: 1) }
    return 1
  }

  private func messages(_ bytes: [UInt8]) -> Int {
    var conversation = PipeWireSession()
    var count = 0
    var rest = bytes[...]
    while let size = PipeWireMessage.size(of: rest), size <= rest.count {
      if let message = PipeWireMessage(parsing: rest.prefix(size)) {
        _ = conversation.receive(message)
        count += 1
      }
      rest = rest.dropFirst(size)
    }
    let device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "", subsystem: "video4linux", kernelName: "video0")
    _ = conversation.graph.use(of: device)
    return count
  }

  private func classes(_ classes: DeviceClasses) -> Int {
    classes.majors(matching: "*", isBlock: false).count
      + classes.majors(matching: "*a?b[*", isBlock: true).count
  }

  private func settings(_ file: UnitFile) -> Int {
    guard let name = UnitName("fuzzed@in\\x2dstance.service") else { return 0 }
    let settings = UnitSettingsReader.settings(of: name, files: [file, file])
    var policy = UnitDevicePolicy(classes: DeviceClasses(parsing: [])) { _ in nil }
    _ = policy.list(for: settings)
    return file.assignments.count
  }

  private func status(_ status: ThreadStatus) -> Int {
    let identifiers = [status.users, status.groups, status.supplementaryGroups]
    let sets = [status.inheritable, status.permitted, status.effective, status.bounding]
    return identifiers.count { $0 != nil } + sets.count { $0 != nil }
  }

  private func ranges(_ bytes: [UInt8]) -> Int {
    guard let map = IDMap(parsing: bytes) else { return 0 }
    var translator = IDTranslator(namespace: IDMapping(users: map, groups: map))
    for range in map.ranges {
      _ = translator.user(range.inside)
      _ = translator.insideGroup(range.outside)
    }
    return map.ranges.count
  }

  private func directories(_ bytes: [UInt8]) -> Int {
    UserDirectories(parsing: bytes, home: "/home/user").pictures == nil ? 0 : 1
  }

  private func record(_ bytes: [UInt8], _ read: (inout UdevRecord) -> Void) -> Int {
    var record = UdevRecord()
    read(&record)
    _ = UdevDatabase.tellsCurrentTags(bytes)
    return record.properties.count + record.tags.count + record.currentTags.count
      + record.links.count
  }

  private func groups(_ groups: ControlGroups) -> Int {
    let paths = [groups.unified, groups.devices, groups.systemd].compactMap { $0 }
    _ = paths.map(ControlGroups.unit(in:))
    _ = paths.map(HolderGroup.init(path:))
    return paths.count
  }
}
