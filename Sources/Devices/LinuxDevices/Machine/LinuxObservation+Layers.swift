internal import AccessModel

/// The mounts that the walked paths crossed, and the kernel settings.
extension LinuxObservation {
  /// Filesystems with inodes that can be immutable or append-only without statx(2) reporting it.
  ///
  /// All others either report the flags or cannot have them (procfs, sysfs, devpts, cgroup).
  private static let typesWithHiddenFlags: Set<String> = [
    "vfat", "msdos", "exfat", "jfs", "ocfs2", "nilfs2", "reiserfs", "hfsplus", "udf", "zfs",
    "bcachefs", "ubifs",
  ]

  /// Returns the mounts that contain the observed nodes, starting with the one at `/`.
  ///
  /// It also records which nodes may have flags that are not visible.
  mutating func observeMounts() -> [Mount] {
    if let known, let end = observer.sightings.last,
      observer.sightings.count == known.sightings.count
        || observer.sightings.count == known.sightings.count + 1 && known.isOnLastMount(end)
    {
      return known.mounts
    }
    let mounts = inspectMounts()
    if let cache, let (parent, directories) = observer.directories(on: mounts) {
      cache.keep(directories, for: ScanCache.Key(who: who, detail: parent))
    }
    return mounts
  }

  private mutating func inspectMounts() -> [Mount] {
    let inNamespace = ownSubject.userNamespace != nil
    var mounts: [Mount] = []
    var taken: Set<PathKey> = []
    var last: (index: Int, mount: Mount)?
    for index in -1..<observer.sightings.count {
      let path = index < 0 ? "/" : observer.sightings[index].node.path
      let sighted = index < 0 ? observer.sighting(path) : observer.sightings[index]
      let entry = mountIndex(of: path, id: sighted?.mountID)
      // Most objects are on the same mount as their directory.
      let isLast = entry != nil && entry == last?.index
      let listed =
        isLast ? last?.mount : entry.map { seenMount($0, inUserNamespace: inNamespace) }
      if let listed, sighted?.reportsFlags == false,
        Self.typesWithHiddenFlags.contains(listed.fstype)
      {
        observer.markUnobserved(
          .flags, at: path, reason: "\(listed.fstype) does not report its flags")
      }
      guard !isLast else { continue }
      if let entry, let listed { last = (entry, listed) }
      guard let point = path == "/" ? "/" : listed?.at, taken.insert(PathKey(point)).inserted
      else { continue }
      if let listed {
        mounts.append(listed)
      } else {
        // Without a table, the mounts below are unknown. An empty table is trusted only for another
        // process: this process reads its own from a procfs that a complete table would list.
        let isKnown =
          !view.mounts.entries.isEmpty || (view.mounts.isRead && !view.root.isEmpty)
        let asked =
          !isKnown
          ? nil : Mount(asking: view.root + path, at: point, inUserNamespace: inNamespace)
        mounts.append(asked ?? .unknown(at: point))
      }
    }
    return mounts
  }

  /// Returns the index of the listed mount that contains a path of the subject.
  private func mountIndex(of path: String, id: UInt64?) -> Int? {
    let root = view.placeAmongMounts
    guard !root.isEmpty else { return view.mounts.index(of: path, id: id) }
    return view.mounts.index(of: path == "/" ? root : root + path, id: id)
  }

  /// Returns a listed mount, at the path where the subject sees it.
  private func seenMount(_ index: Int, inUserNamespace: Bool) -> Mount {
    var mount = view.mounts.mount(index, inUserNamespace: inUserNamespace)
    if let map = ownSubject.userNamespace, view.mounts.entries[index].isOfRoot(outside: map) {
      mount.unobserved.remove(.superblockNodev)
    }
    let root = view.placeAmongMounts
    guard !root.isEmpty else { return mount }
    mount.at =
      mount.at.isBelow(root) ? String(Substring(mount.at.utf8.dropFirst(root.utf8.count))) : "/"
    return mount
  }

  /// Filesystems with parts that can be read-only although no mount shows it.
  ///
  /// For such a subvolume, `btrfs_permission` returns `EROFS`. bcachefs has read-only snapshots.
  private static let typesWithReadOnlyParts: Set<String> = ["btrfs", "bcachefs"]

  /// Records that the object to write is in a read-only part of its filesystem.
  ///
  /// The kernel reports this before it checks modes and ACLs, and therefore reports it to every
  /// process.
  mutating func noteReadOnlyPart(in access: inout AccessCase) {
    let request = access.request
    guard request.permissions.contains(.write) || request.creates,
      access.mounts.contains(where: { Self.typesWithReadOnlyParts.contains($0.fstype) }),
      let node = access.object(at: request.path)
        ?? access.creationDirectory.flatMap({ access.object(at: $0) }),
      node.type == .regular || node.type == .directory,
      let index = access.mountIndex(of: node.path)
    else { return }
    let mount = access.mounts[index]
    guard Self.typesWithReadOnlyParts.contains(mount.fstype), !mount.readOnly,
      !mount.superblockReadOnly,
      FileAccessCheck.ask(view.root + node.path, .write) == .readOnlyFilesystem
    else { return }
    access.mounts[index].unobserved.insert(.flags)
    note(
      Unobserved(
        "mounts", at: node.path,
        reason: "a read-only part of \(mount.fstype) is not shown by any mount"))
  }

  /// Reads `fs.protected_symlinks`, `fs.protected_regular` and `fs.protected_fifos`.
  ///
  /// The last two matter only if a file may be created. Kernels before 4.19 have neither.
  mutating func readSettings(into access: inout AccessCase) {
    if let level = level(of: .protectedSymlinks, &access) { access.protectedSymlinks = level != 0 }
    guard access.request.creates else { return }
    if let level = level(of: .protectedRegular, &access) { access.protectedRegular = level }
    if let level = level(of: .protectedFifos, &access) { access.protectedFifos = level }
  }

  /// Returns the level of a setting, from 0 to 2.
  ///
  /// If it is unknown, the case records that and the result is `nil`.
  private mutating func level(of setting: AccessCase.Setting, _ access: inout AccessCase) -> Int? {
    let level = recall(
      { $0.levels[setting] }, keep: { $0.levels[setting] = $1 },
      scan: { observation, unobserved in
        Self.level(of: setting, below: observation.roots.proc, &unobserved)
      })
    if level == nil { access.unobserved.insert(setting) }
    return level
  }

  private static func level(
    of setting: AccessCase.Setting, below proc: String, _ unobserved: inout [Unobserved]
  ) -> Int? {
    let path = "\(proc)/sys/fs/\(setting.rawValue)"
    let reason: String
    do throws(Errno) {
      let line = try BoundedFile.line(path, limit: 16)
      if let level = Int(line) { return min(max(level, 0), 2) }
      reason = "it is not a number"
    } catch .noSuchFile where setting != .protectedSymlinks {
      return 0
    } catch {
      reason = error.reason
    }
    unobserved.append(Unobserved(setting.rawValue, at: path, reason: reason))
    return nil
  }
}

/// Facts that drivers and filesystems check on open, in addition to the permissions.
extension LinuxObservation {
  mutating func restrictsKernelLog() -> Bool? {
    let path = "\(roots.proc)/sys/kernel/dmesg_restrict"
    return reported("dmesg_restrict", at: path, orElse: "it is not a number") { () throws(Errno) in
      Int(try BoundedFile.line(path, limit: 16)).map { $0 != 0 }
    }
  }

  mutating func interpreter(of file: Node) -> String? {
    do throws(Errno) {
      let bytes = try BoundedFile.readHeld(view.root + file.path, limit: 256).bytes
      return bytes.starts(with: "#!".utf8) ? UnitProgramSearch.interpreter(in: bytes) : nil
    } catch {
      note(Unobserved("interpreter", at: file.path, reason: error.reason))
      return nil
    }
  }

  mutating func lockdown() -> LockdownLevel? {
    let modules = SecurityModules(roots: roots)
    return reported("lockdown", at: modules.lockdownPath, orElse: "it names no level") {
      () throws(Errno) in
      try modules.lockdown()
    }
  }

  mutating func hasTerminal() -> Bool? {
    // A process that has not started yet may get a terminal.
    guard let process = view.process else {
      note(Unobserved("terminal", reason: "known only for a running process; use --pid"))
      return nil
    }
    let path = "\(process)/stat"
    return reported("terminal", at: path, orElse: "it is malformed") { () throws(Errno) in
      ProcessStat(parsing: try BoundedFile.read(path, limit: 4096).bytes)?.hasTerminal
    }
  }

  /// Returns the value that a file contains, or records why it is unknown and returns `nil`.
  private mutating func reported<Value>(
    _ layer: String, at path: String, orElse problem: String,
    _ scan: () throws(Errno) -> Value?
  ) -> Value? {
    var reason = problem
    do throws(Errno) {
      if let value = try scan() { return value }
    } catch {
      reason = error.reason
    }
    note(Unobserved(layer, at: path, reason: reason))
    return nil
  }
}

/// Facts that are observed after the path and the kernel's answers are known.
extension LinuxObservation {
  /// Adds the device policies of the calling process, if the kernel's answer indicates that one
  /// refuses.
  func addPolicies(to facts: inout AccessFacts) {
    let path = facts.access.request.path
    guard view.origin == nil, facts.confinement.container == nil,
      facts.confinement.service == nil, let group = facts.confinement.cgroup,
      facts.access.object(at: path)?.type.isDevice ?? false,
      facts.kernelChecks.contains(where: { $0.path == path && $0.errno == .notPermitted })
    else { return }
    let policies = DeviceProgramEvidence(roots: roots)
      .observe(group, unit: facts.confinement.unit).policies
    guard !policies.isEmpty else { return }
    var service = ServiceFacts()
    service.isRunning = true
    service.policies = policies
    facts.confinement.service = service
  }

  /// Returns the crossed mount points at which later mounts of the host do not appear.
  ///
  /// These are private mounts that show a part of the host. Outside of a container or service, only
  /// automounts are included.
  func privateMounts(of facts: AccessFacts) -> [String] {
    let isApart = facts.confinement.container != nil || facts.confinement.serviceUnit != nil
    return facts.access.mounts.filter { isApart || $0.fstype == "autofs" }.map(\.at).filter { at in
      guard let entry = view.mounts.last(at: at), entry.isPrivate else {
        return false
      }
      return !Self.ownTypes.contains(entry.fstype) && (entry.fstype != "tmpfs" || entry.root != "/")
    }
  }

  /// The types of filesystems that are mounted only for a container, or on which nothing is
  /// mounted.
  private static let ownTypes: Set<String> = [
    "overlay", "proc", "sysfs", "devpts", "mqueue", "cgroup", "cgroup2", "devtmpfs",
    "securityfs", "debugfs", "tracefs", "configfs", "hugetlbfs", "binfmt_misc", "bpf",
  ]
}
