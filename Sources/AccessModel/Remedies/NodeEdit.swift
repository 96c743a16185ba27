/// The commands that change one node, with what has to be opened for them and closed again:
/// a read-only mount, an immutable or append-only flag.
struct NodeEdit {
  private(set) var commands: [String] = []
  private(set) var changes: [FactsChange] = []
  /// Whether something had to be opened first, which only an administrator can.
  private(set) var isPrivileged = false
  private var closing: [(command: String, change: FactsChange)] = []
  private let path: String

  /// Plans the edit; with `staysOpen` what is opened for it is not closed again, because the
  /// request itself needs it open.
  init(_ facts: AccessFacts, _ node: Node, staysOpen: Bool) {
    path = node.path
    let confinement = facts.confinement
    // What stays open depends on the settings, where they are not known.
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

  /// Adds a command that changes mode, owner or list, behind what its flags need.
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

  /// Adds a command that takes a flag away for good.
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
