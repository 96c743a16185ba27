/// Remedies for a refusal by a mount or an inode flag.
extension RemedyPlanner {
  func mountCandidates(
    _ rule: Rule, _ step: Step, _ facts: AccessFacts
  ) -> [Remedy] {
    guard let mount = facts.access.mount(of: step.path) else { return [] }
    let option: FactsChange.MountOption
    let scope: String
    switch rule {
    case .mountNodev where !mount.superblockNodev:
      option = .devices
      scope = "access to every device node on \(mount.at) whose permissions allow it"
    case .mountReadOnly, .superblockReadOnly:
      option = mount.writableOption
      scope = "write access to everything on \(mount.at) whose permissions allow it"
    case .mountNoexec:
      option = .programs
      scope = "permission to run the other programs on \(mount.at)"
    case .symlinkNoSymfollow:
      option = .symbolicLinks
      scope = "access through the other symbolic links on \(mount.at)"
    default: return []
    }
    if option == .filesystemReadWrite, mount.refusesWritableRemount { return [] }
    if let container = facts.confinement.container {
      return containerMountCandidates(container, mount, option, rule)
    }
    // A remount has no effect on a mount of the service, and is lost when the service is restarted.
    if rule == .mountReadOnly, facts.confinement.service?.knownProtections == nil,
      facts.confinement.unitThatProtects(mount) != nil
    {
      return []
    }
    var unit = rule == .mountReadOnly ? facts.confinement.serviceUnit : nil
    if let name = unit, let protections = facts.confinement.service?.knownProtections {
      switch protections.first(where: { $0.at.isSame(as: mount.at) })?.isReadOnlyOutside {
      case false: return sparingCandidates(step.node?.path ?? step.path, of: name, facts)
      // The service's settings may make the mount read-only again, as the assumption says.
      case true: break
      // The settings are known, and they do not change this mount.
      case nil: unit = nil
      }
    }
    let change = FactsChange.remount(place: mount.at, option: option)
    let now = Remedy(
      "Remount \(mount.at) with the \(option.word) option",
      commands: [mount.remountCommand(option)], actor: .administrator, changes: [change],
      scope: scope, until: .mount,
      assumes: unit.map {
        "no setting of \($0), such as ProtectSystem= or ReadOnlyPaths=, makes it read-only"
      })
    // The kernel makes a filesystem read-only after an error, so that option may be set nowhere.
    guard option != mount.writableOption, mount.isConfigured else { return [now] }
    let lasting = Remedy(
      """
      Change no\(option.word) to \(option.word) in the options of \(mount.at), in /etc/fstab or in its \
      mount unit
      """, actor: .administrator, changes: [change], scope: scope,
      takesEffect: "when it is mounted again, at the next boot at the latest")
    return [lasting, now]
  }

  /// Returns the remedy that makes a path writable for a service whose own settings protect it.
  ///
  /// A remount would be lost when the service is restarted.
  private func sparingCandidates(
    _ path: String, of unit: String, _ facts: AccessFacts
  ) -> [Remedy] {
    guard path.isConfigurationPath else { return [] }
    let dropIn = UnitDropIn(
      unit: unit, lines: ["\(facts.confinement.writableSetting)=\(path)"], name: "devaccess-write")
    return [
      Remedy(
        "Let \(unit) write to \(path)",
        steps: [.dropIns([dropIn], restarting: unit, changes: [.spare(path: path)])],
        takesEffect: "when \(unit) is restarted")
    ]
  }

  /// Returns remedies outside a container, which cannot remount filesystems that its engine
  /// mounted.
  private func containerMountCandidates(
    _ container: String, _ mount: Mount, _ option: FactsChange.MountOption, _ rule: Rule
  ) -> [Remedy] {
    let isWritable = option == mount.writableOption
    guard isWritable || option == .programs else { return [] }
    let word = isWritable ? "writable" : "with the \(option.rawValue) option"
    let title: String
    switch container {
    case "flatpak", "snap", "firejail", "bubblewrap": return []
    case _ where rule == .superblockReadOnly:
      title = "Mount the filesystem behind \(mount.at) writable, outside the container"
    case _ where mount.at == "/":
      title = "Start the container with its root filesystem \(word)"
    case "docker", "podman":
      title =
        "Start the container with the volume at \(mount.at) \(word)"
        + (isWritable ? " (without \":ro\" in its option)" : "")
    case "kubernetes":
      title =
        "Start the pod with the volume at \(mount.at) \(word)"
        + (isWritable ? " (without \"readOnly: true\" in its volumeMount)" : "")
    default: title = "Start the container with the mount at \(mount.at) \(word)"
    }
    return [
      Remedy(
        title, actor: .packager, changes: [.remount(place: mount.at, option: option)],
        takesEffect: "when the container is recreated")
    ]
  }

  func flagCandidates(
    _ rule: Rule, _ step: Step, _ facts: AccessFacts
  ) -> [Remedy] {
    guard let node = step.node else { return [] }
    let flag: Node.Flag = rule == .inodeImmutable ? .immutable : .append
    let letter = flag == .immutable ? "i" : "a"
    var edit = NodeEdit(facts, node, staysOpen: true)
    edit.clear(flag, letter)
    return [
      Remedy(
        """
        Remove the \(flag == .immutable ? "immutable" : "append-only") flag from \(node.path)
        """, commands: edit.commands, actor: .administrator, changes: edit.changes,
        scope: node.unobserved.contains(.acl)
          ? "write access to everybody whom its ACL, which was not observed, allows to write"
          : nil)
    ]
  }
}

/// The commands that change one node, including those that make the change possible.
///
/// For example, the commands make a read-only mount writable or clear an immutable flag, and then
/// undo this after the change.
struct NodeEdit {
  private(set) var commands: [String] = []
  private(set) var changes: [FactsChange] = []
  /// A Boolean value that indicates whether a mount or flag must be changed first.
  ///
  /// Only an administrator can do so.
  private(set) var isPrivileged = false
  private var closing: [(command: String, change: FactsChange)] = []
  private let path: String

  /// Plans the edit of a node, and first makes its mount writable if necessary.
  ///
  /// - Parameters:
  ///   - facts: The facts before the edit.
  ///   - node: The node to change.
  ///   - staysOpen: Pass `true` to leave the mount writable, because the request itself needs that.
  init(_ facts: AccessFacts, _ node: Node, staysOpen: Bool) {
    path = node.path
    let confinement = facts.confinement
    // If the service's settings are unknown, include the remount. It works unless the settings make
    // the mount read-only again.
    let isForGood = staysOpen && confinement.service?.knownProtections == nil
    if let mount = facts.access.mount(of: node.path), mount.readOnly || mount.superblockReadOnly,
      isForGood || !confinement.isReadOnlyInService(mount)
    {
      let opened = mount.writableOption
      let closed: FactsChange.MountOption =
        opened == .readWrite ? .readOnly : .filesystemReadOnly
      open(
        mount.remountCommand(opened), .remount(place: mount.at, option: opened),
        closedBy: mount.remountCommand(closed), .remount(place: mount.at, option: closed),
        staysOpen: staysOpen)
    }
  }

  /// Adds a command that changes the mode, owner or ACL, and clears the node's flags while it runs.
  mutating func change(_ node: Node, _ command: String, _ change: FactsChange) {
    for (flag, letter) in [(Node.Flag.immutable, "i"), (.append, "a")]
    where node.flags.contains(flag) {
      open(
        "chattr -\(letter) \(path.shellQuoted)", .clearFlag(path: path, flag: flag),
        closedBy: "chattr +\(letter) \(path.shellQuoted)", .setFlag(path: path, flag: flag),
        staysOpen: false)
    }
    commands.append(command)
    changes.append(change)
    close()
  }

  /// Adds a command that clears a flag permanently.
  mutating func clear(_ flag: Node.Flag, _ letter: String) {
    commands.append("chattr -\(letter) \(path.shellQuoted)")
    changes.append(.clearFlag(path: path, flag: flag))
    close()
  }

  private mutating func open(
    _ command: String, _ change: FactsChange, closedBy last: String, _ undone: FactsChange,
    staysOpen: Bool
  ) {
    isPrivileged = true
    commands.append(command)
    changes.append(change)
    if !staysOpen { closing.insert((last, undone), at: 0) }
  }

  private mutating func close() {
    commands += closing.map(\.command)
    changes += closing.map(\.change)
    closing = []
  }
}

/// Remounting filesystems with mount(8).
extension Mount {
  /// The option that makes the mount writable.
  var writableOption: FactsChange.MountOption {
    superblockReadOnly ? .filesystemReadWrite : .readWrite
  }

  /// A Boolean value that indicates whether the filesystem cannot be made writable by remounting
  /// it.
  ///
  /// FUSE filesystems do not support remounting. NTFS drivers keep a volume read-only if Windows
  /// has not released it. The other filesystems are always read-only.
  var refusesWritableRemount: Bool {
    fstype == "fuse" || fstype.hasPrefix("fuse.") || isOfWindows || isAlwaysReadOnly
  }

  /// A Boolean value that indicates whether a line in fstab(5) or a mount unit sets the options.
  ///
  /// For other filesystems, the options come from a program, such as udisks, or from the kernel.
  var isConfigured: Bool {
    let places = ["/dev", "/proc", "/sys", "/run", "/media"]
    return !places.contains(where: at.isAtOrBelow) && !fstype.hasPrefix("fuse")
      && fstype != "autofs"
  }

  /// A Boolean value that indicates whether the filesystem type does not support writing.
  var isAlwaysReadOnly: Bool {
    ["iso9660", "squashfs", "erofs", "cramfs", "romfs"].contains(fstype)
  }

  /// A Boolean value that indicates whether the filesystem is NTFS, which ntfs-3g mounts as
  /// `fuseblk`.
  var isOfWindows: Bool { ["fuseblk", "ntfs", "ntfs3"].contains(fstype) }

  /// Returns the command that remounts the filesystem with an option.
  ///
  /// If possible, the command changes only the mount. Otherwise `ro` for a bind mount would make
  /// the whole filesystem read-only, including its other mounts.
  ///
  /// mount(8) before 2.39 passes the word `idmapped` from the mount table on to the filesystem,
  /// which refuses it. To change the whole filesystem of such a mount, the command makes mount(8)
  /// ignore the table, and repeats the flags of the mount, which would otherwise be cleared.
  func remountCommand(_ option: FactsChange.MountOption) -> String {
    let place = at.shellQuoted
    switch option {
    case .filesystemReadWrite where idmap == nil, .filesystemReadOnly where idmap == nil:
      return "mount -o remount,\(option.word) \(place)"
    case .filesystemReadWrite, .filesystemReadOnly:
      let words = ["remount", option.word] + flagWords
      return "mount --options-mode ignore -o \(words.joined(separator: ",")) \(place)"
    default:
      return "mount -o remount,bind,\(option.word) \(place)"
    }
  }

  private var flagWords: [String] {
    [(nosuid, "nosuid"), (nodev, "nodev"), (noexec, "noexec"), (nosymfollow, "nosymfollow")]
      .filter(\.0).map(\.1)
  }
}

/// The owner that mount options assign to all files on a filesystem.
struct MountOwner: AssessmentReader {
  let assessment: Assessment
  let names: Names

  /// The mount, if its options determine the owner of the node that refuses access.
  var mount: Mount? {
    guard let node = assessment.decidingStep?.node, let mount = access.mount(of: node.path),
      mount.takesOwner, !node.type.isDevice
    else { return nil }
    return mount
  }

  /// The remedies that give the user the group that the mount options name, or make the user the
  /// owner; empty for other filesystems.
  var remedies: [Remedy] {
    guard let remedy else { return [] }
    guard let mount, let step = assessment.decidingStep, let node = step.node else {
      return [remedy]
    }
    let joins = RemedyPlanner(assessment, names: names).joins(node, step.wanted, mount, facts)
      .map { join in
        var join = join
        for index in join.steps.indices { join.steps[index].changes = [] }
        join.assumes = Remedy.both(join.assumes, "the modes that \(mount.at) shows decide")
        return join
      }
    return joins + [remedy]
  }

  /// The remedy that mounts the filesystem with the user as the owner, or with the user's group if
  /// another user owns it now.
  ///
  /// Such filesystems store no owners, modes or ACLs.
  var remedy: Remedy? {
    guard let mount, let step = assessment.decidingStep, let node = step.node else { return nil }
    let isForGroup =
      node.uid != 0 && node.owningGroupPermissions.isSuperset(of: step.wanted)
      && confinement.serviceUnit == nil
    let owner = isForGroup ? names.group(subject.fsgid) : user
    let options = (isForGroup ? [] : ["uid=\(subject.fsuid)"]) + ["gid=\(subject.fsgid)"]
    let isInside = confinement.container != nil && !confinement.isSandbox
    let mode =
      mount.fstype == "cifs" || mount.fstype.hasPrefix("smb")
      ? "neither file_mode= nor dir_mode= removes" : "no option such as umask= removes"
    return Remedy(
      """
      \(isInside ? "On the host, mount what is at" : "Mount") \(mount.at)\(isInside ? " here" : "") \
      so that \(owner) owns it, with these options (for example in /etc/fstab)
      """,
      options: [options.joined(separator: ",")], actor: .administrator,
      scope: "access to everything else on the filesystem at \(mount.at)",
      takesEffect: "when it is mounted again",
      assumes: Remedy.both(
        "the mounted filesystem accepts these options", "\(mode) the permission"),
      caution: isForGroup || node.uid == 0 || node.uid == Subject.overflowID
        ? nil : "\(names.user(node.uid)), the current owner, does not need to own it"
    )
  }

  /// A sentence that attributes the owner to the mount options; empty if they do not set the owner.
  ///
  /// The sentence has a leading space.
  var sentence: String {
    mount.map {
      " The owner comes from the mount options of \($0.at) (\($0.fstype): uid=, gid=)."
    } ?? ""
  }
}

extension ConfinementFacts {
  /// Returns the service whose settings make a mount read-only.
  ///
  /// - Returns: The service; `nil` if no setting is known to make it read-only, or if the mount is
  ///   also read-only outside the service.
  func unitThatProtects(_ mount: Mount) -> String? {
    guard mount.readOnly, !mount.superblockReadOnly, let unit = serviceUnit,
      service?.protected?.first(where: { $0.at.isSame(as: mount.at) })?.isReadOnlyOutside == false
    else { return nil }
    return unit
  }

  /// Returns whether a mount is read-only only in the service.
  ///
  /// An administrator can change files on such a mount without remounting it. Only the service's
  /// own mounts are known for a running service, so a read-only flag that its settings may have set
  /// is attributed to them. Otherwise a fix could remount the machine's filesystem, and then leave
  /// it read-only for all processes.
  func isReadOnlyInService(_ mount: Mount) -> Bool {
    guard serviceUnit != nil, mount.readOnly, !mount.superblockReadOnly else { return false }
    guard let protections = service?.knownProtections else {
      return container == nil && service?.isRunning != false
    }
    return protections.first { $0.at.isSame(as: mount.at) }?.isReadOnlyOutside == false
  }
}
