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
