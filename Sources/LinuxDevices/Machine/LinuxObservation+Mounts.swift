internal import AccessModel

/// The mounts that the walked paths crossed, and the settings of the kernel.
extension LinuxObservation {
  /// Filesystems whose inodes can be immutable or append-only without statx(2) telling.
  ///
  /// All others either report the flags or cannot have them (procfs, sysfs, devpts, cgroup).
  private static let typesWithHiddenFlags: Set<String> = [
    "vfat", "msdos", "exfat", "jfs", "ocfs2", "nilfs2", "reiserfs", "hfsplus", "udf", "zfs",
    "bcachefs", "ubifs",
  ]

  /// The mounts that the seen nodes are on, the one at `/` first.
  ///
  /// It also notes which nodes may have flags that cannot be seen.
  mutating func observeMounts() -> [Mount] {
    if let known, let end = observer.sightings.last,
      observer.sightings.count == known.sightings.count
        || observer.sightings.count == known.sightings.count + 1 && known.isOnLastMount(end)
    {
      return known.mounts
    }
    let mounts = lookAtMounts()
    if let memory, let (parent, directories) = observer.directories(on: mounts) {
      memory.keep(directories, for: LookMemory.Key(who: who, detail: parent))
    }
    return mounts
  }

  private mutating func lookAtMounts() -> [Mount] {
    let inNamespace = ownSubject.userNamespace != nil
    var mounts: [Mount] = []
    var taken: Set<PathKey> = []
    var last: (index: Int, mount: Mount)?
    for index in -1..<observer.sightings.count {
      let path = index < 0 ? "/" : observer.sightings[index].node.path
      let sighted = index < 0 ? observer.sighting(path) : observer.sightings[index]
      let entry = mountIndex(of: path, id: sighted?.mountID)
      // Most objects are on the mount of the directory that they are in.
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
        // Without any table nobody knows what else is mounted below. An empty one is believed of
        // another process alone: the own one was read from a procfs that it does not list.
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

  /// Which of the listed mounts a path of the subject is on.
  private func mountIndex(of path: String, id: UInt64?) -> Int? {
    let root = view.placeAmongMounts
    guard !root.isEmpty else { return view.mounts.index(of: path, id: id) }
    return view.mounts.index(of: path == "/" ? root : root + path, id: id)
  }

  /// A listed mount at the place where the subject sees it.
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

  /// Filesystems with parts that can be read-only although no mount shows it: `btrfs_permission` answers
  /// `EROFS` for such a subvolume, and bcachefs has snapshots of that kind.
  private static let typesWithReadOnlyParts: Set<String> = ["btrfs", "bcachefs"]

  /// Notes that what is to be written is in a read-only part of its filesystem.
  ///
  /// The kernel says so before it asks modes and lists, and so to whoever asks.
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
  /// The last two matter where a file may be created alone. Kernels before 4.19 have neither.
  mutating func readSettings(into access: inout AccessCase) {
    if let level = level(of: .protectedSymlinks, &access) { access.protectedSymlinks = level != 0 }
    guard access.request.creates else { return }
    if let level = level(of: .protectedRegular, &access) { access.protectedRegular = level }
    if let level = level(of: .protectedFifos, &access) { access.protectedFifos = level }
  }

  /// The level of a setting, 0 to 2; `nil` when it cannot be told, which is noted in the case.
  private mutating func level(of setting: AccessCase.Setting, _ access: inout AccessCase) -> Int? {
    let level = recall(
      { $0.levels[setting] }, keep: { $0.levels[setting] = $1 },
      look: { observation, unobserved in
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
      reason = "it is no number"
    } catch .noSuchFile where setting != .protectedSymlinks {
      return 0
    } catch {
      reason = error.reason
    }
    unobserved.append(Unobserved(setting.rawValue, at: path, reason: reason))
    return nil
  }
}
