/// The effect of one command on the facts.
///
/// A change modifies the facts in the same way as the command modifies the machine. The IDs of
/// entries and owners are those stored in the inode, as in the facts.
public enum FactsChange: Hashable, Sendable {
  /// A mount option that a remount changes.
  public enum MountOption: String, Hashable, Sendable {
    /// Makes the mount writable, if its filesystem is writable.
    case readWrite = "rw"
    /// Makes the mount read-only.
    ///
    /// Other mounts of the filesystem can still be writable.
    case readOnly = "ro"
    /// Allows opening devices on the mount; the opposite of `nodev`.
    case devices = "dev"
    /// Allows executing programs on the mount; the opposite of `noexec`.
    case programs = "exec"
    /// Allows following links on the mount; the opposite of `nosymfollow`.
    case symbolicLinks = "symfollow"
    /// Makes the mount and its whole filesystem writable.
    case filesystemReadWrite = "filesystem_rw"
    /// Makes the mount and its whole filesystem read-only.
    case filesystemReadOnly = "filesystem_ro"

    /// The option in the form that mount(8) accepts.
    var word: String {
      switch self {
      case .filesystemReadWrite: "rw"
      case .filesystemReadOnly: "ro"
      default: rawValue
      }
    }
  }

  /// A layer that the model does not contain and that only a kernel answer reveals.
  public enum OutsideLayer: Hashable, Sendable {
    /// The device policy of a cgroup, which refuses a device with `EPERM`.
    case deviceProgram
    /// The policy of a security module, which refuses with `EACCES` although modes and ACLs allow
    /// the access.
    case securityModule
  }

  // MARK: Nodes

  /// Sets entries of the ACL (`setfacl -m`).
  ///
  /// The mask is recalculated unless the entries include a mask.
  case setEntries(path: String, entries: [ACLEntry])
  /// Replaces the whole ACL (`setfacl --set`).
  case replaceList(path: String, entries: [ACLEntry])
  /// Adds bits to the mode (`chmod u+rw`).
  ///
  /// If the node has an ACL, the group bits are its mask.
  case addMode(path: String, bits: UInt16)
  /// Sets the mode (`chmod 0660`).
  case setMode(path: String, mode: UInt16)
  /// Sets the owner, the group or both (`chown`, `chgrp`).
  case changeOwner(path: String, user: UInt32?, group: UInt32?)
  /// Clears an inode flag (`chattr -i`).
  case clearFlag(path: String, flag: Node.Flag)
  /// Sets an inode flag (`chattr +i`).
  case setFlag(path: String, flag: Node.Flag)
  /// Creates a directory and its missing parents as the subject (`mkdir -p`).
  case makeDirectory(path: String)
  /// Creates a node, for example because a driver was bound or a device was plugged in.
  case appear(Node)
  /// Removes a node and everything below it.
  case remove(path: String)
  /// Remounts the filesystem at a mount point with an option.
  case remount(place: String, option: MountOption)
  /// Excludes a path from what the service's settings make read-only (`ReadWritePaths=`).
  case spare(path: String)

  // MARK: Devices

  /// Makes udev process an event with a rule that sets the mode, the group or the tag `uaccess`.
  ///
  /// A value of `nil` or `false` leaves the setting unchanged.
  case deviceEvent(path: String, mode: UInt16?, group: UInt32?, isTagged: Bool)
  /// Makes the subject's session the active one of its seat.
  ///
  /// For tagged devices of the seat, logind removes the entries of the previously active user and
  /// adds entries for this user.
  case activateSession
  /// Makes a layer outside the model allow the requested object.
  case lift(OutsideLayer)
  /// Adds a device number to the device list of the cgroup.
  case allowDevice(DeviceNumber, isBlock: Bool, permissions: Permissions)
  /// Stores another answer in the portal's permission store, or removes it if the value is `nil`.
  case storePortalAnswer(String?)

  // MARK: The subject and its request

  /// Adds the user to a group in the database, which does not affect running processes.
  case joinGroup(UInt32)
  /// Logs the user in again, with the groups from the database.
  case logIn
  /// Starts the process with additional groups (`newgrp`, `SupplementaryGroups=`).
  ///
  /// If `isPrimary` is `true`, the first group becomes the process's primary group.
  case addGroups([UInt32], isPrimary: Bool)
  /// Raises permitted capabilities of the program.
  case raise(CapabilitySet)
  /// Makes the program use another pair of its own user and group IDs for the open.
  case takeIDs(user: UInt32, group: UInt32)
  /// Makes the program use another request.
  case ask(Request)
}

extension FactsChange {
  /// The path of the node whose mode, owner, ACL or flags the change modifies; `nil` for other
  /// changes.
  var editedPath: String? {
    switch self {
    case .setEntries(let path, _), .replaceList(let path, _), .addMode(let path, _),
      .setMode(let path, _), .changeOwner(let path, _, _), .clearFlag(let path, _),
      .setFlag(let path, _):
      path
    default: nil
    }
  }
}

extension FactsChange {
  /// Returns the facts after the command.
  ///
  /// - Parameter facts: The facts before the command.
  /// - Returns: The new facts; `nil` if the command would fail, or if the facts do not show its
  ///   effect.
  public func applied(to facts: AccessFacts) -> AccessFacts? {
    var facts = facts
    guard let path = editedPath, let index = facts.access.mountIndex(of: path),
      facts.confinement.isReadOnlyInService(facts.access.mounts[index])
    else { return apply(to: &facts) ? facts : nil }
    // The command runs outside the service.
    facts.access.mounts[index].readOnly = false
    guard apply(to: &facts) else { return nil }
    facts.access.mounts[index].readOnly = true
    return facts
  }

  private func apply(to facts: inout AccessFacts) -> Bool {
    switch self {
    case .setEntries(let path, let entries):
      guard facts.access.showsIDsOfList(at: path) else { return false }
      return facts.access.changeNode(at: path) { $0.setEntries(entries) }
    case .replaceList(let path, let entries):
      return facts.access.changeNode(at: path) { $0.replaceList(entries) }
    case .addMode(let path, let bits):
      return facts.access.changeNode(at: path) { $0.setMode($0.mode | bits) }
    case .setMode(let path, let mode):
      return facts.access.changeNode(at: path) { $0.setMode(mode) }
    case .changeOwner(let path, let user, let group):
      return facts.access.changeNode(at: path) { node in
        node.uid = user ?? node.uid
        node.gid = group ?? node.gid
        return true
      }
    case .clearFlag(let path, let flag):
      return facts.access.changeFlags(at: path) { $0.remove(flag) }
    case .setFlag(let path, let flag):
      return facts.access.changeFlags(at: path) { $0.insert(flag) }
    case .makeDirectory(let path): return facts.access.makeDirectory(path)
    case .appear(let node):
      facts.access.nodes.removeAll { $0.path.isSame(as: node.path) }
      facts.access.nodes.append(node)
      return true
    case .remove(let path):
      facts.access.nodes.removeAll { $0.path.isAtOrBelow(path) }
      return true
    case .remount(let place, let option): return facts.access.remount(place, option)
    case .spare(let path): return facts.spare(path)
    case .deviceEvent, .activateSession, .lift, .allowDevice, .storePortalAnswer:
      return applyToDevices(&facts)
    case .joinGroup, .logIn, .addGroups, .raise, .takeIDs, .ask:
      return applyToSubject(&facts)
    }
  }

  private func applyToSubject(_ facts: inout AccessFacts) -> Bool {
    switch self {
    case .joinGroup(let group):
      guard let groups = facts.account.loginGroups else { return false }
      if !groups.contains(group) { facts.account.loginGroups?.append(group) }
    case .logIn: return facts.logIn()
    case .addGroups(let groups, let isPrimary):
      if isPrimary, let first = groups.first {
        let before = facts.access.subject.fsgid
        facts.access.subject.setGroup(first)
        if !facts.access.subject.groups.contains(before) {
          facts.access.subject.groups.append(before)
        }
      }
      for group in groups where !facts.access.subject.groups.contains(group) {
        facts.access.subject.groups.append(group)
      }
    case .raise(let capabilities):
      guard facts.access.subject.permitted.isSuperset(of: capabilities) else { return false }
      facts.access.subject.effective.formUnion(capabilities)
    case .takeIDs(let user, let group):
      let subject = facts.access.subject
      guard [subject.ruid, subject.euid, subject.suid, subject.fsuid].contains(user),
        [subject.rgid, subject.egid, subject.sgid, subject.fsgid].contains(group)
      else { return false }
      facts.access.subject.fsuid = user
      facts.access.subject.fsgid = group
    case .ask(let request): facts.access.request = request
    default: return false
    }
    return true
  }

  private func applyToDevices(_ facts: inout AccessFacts) -> Bool {
    switch self {
    case .deviceEvent(let path, let mode, let group, let isTagged):
      return facts.handleEvent(path, mode: mode, group: group, isTagged: isTagged)
    case .activateSession: return facts.activateSession()
    case .lift(let layer):
      let errno: Errno =
        layer == .deviceProgram ? .notPermitted : .permissionDenied
      let path = facts.access.request.path
      facts.kernelChecks.removeAll { $0.path.isSame(as: path) && $0.errno == errno }
      facts.attempts.removeAll { $0.path.isSame(as: path) && $0.errno == errno }
      guard layer == .deviceProgram else { return true }
      facts.access.subject.unobserved.remove(.deviceCgroup)
      if facts.access.subject.deviceCgroup != nil {
        guard let node = facts.access.object(at: path), let number = node.rdev else { return false }
        facts.access.subject.deviceCgroup = DeviceCgroup(
          defaultBehavior: .deny,
          exceptions: [
            DeviceCgroup.Exception(
              isBlock: node.type == .blockDevice, major: number.major, minor: number.minor,
              read: true, write: true, makeNode: false)
          ])
      }
    case .allowDevice(let number, let isBlock, let permissions):
      let isAllowed = facts.access.subject.deviceCgroup?.defaultBehavior == .deny
      guard isAllowed else { return false }
      facts.access.subject.deviceCgroup?.exceptions.append(
        DeviceCgroup.Exception(
          isBlock: isBlock, major: number.major, minor: number.minor,
          read: permissions.contains(.read), write: permissions.contains(.write),
          makeNode: false))
    case .storePortalAnswer(let answer): facts.portal?.storedAnswer = answer
    default: return false
    }
    return true
  }
}

extension AccessFacts {
  /// Simulates a new login of the subject's real user.
  ///
  /// - Returns: `true` on success; `false` if the groups are unknown, or if the login would be in
  ///   another user namespace.
  fileprivate mutating func logIn() -> Bool {
    guard let groups = account.loginGroups, access.subject.userNamespace == nil else {
      return false
    }
    let old = access.subject
    let group = groups.contains(old.rgid) ? old.rgid : groups.first ?? old.rgid
    var fresh = Subject(uid: old.ruid, gid: group, groups: groups)
    if old.ruid == 0 {
      fresh.permitted = .all
      fresh.effective = .all
    }
    fresh.deviceCgroup = old.deviceCgroup
    fresh.unobserved = old.unobserved.intersection([.deviceCgroup])
    access.subject = fresh
    return true
  }

  /// Simulates how udev and logind process an event of a device.
  fileprivate mutating func handleEvent(
    _ path: String, mode: UInt16?, group: UInt32?, isTagged: Bool
  ) -> Bool {
    guard let device = devices.firstIndex(where: { $0.node == path }) else { return false }
    if isTagged {
      devices[device].tags.append("uaccess")
      devices[device].currentTags?.append("uaccess")
    }
    let facts = devices[device]
    let active = facts.isTaggedForUserAccess ? session?.activeUsers[facts.seat] : nil
    return access.changeNode(at: path) { node in
      if let group { node.gid = group }
      if let mode { _ = node.setMode(mode) }
      guard facts.isTaggedForUserAccess else { return true }
      return node.giveSeatEntry(to: active, insteadOf: node.namedUsers)
    }
  }

  fileprivate mutating func activateSession() -> Bool {
    guard let seat = session?.seat, session?.id != nil, session?.isRemote == false,
      session?.isOf(access.subject.ruid) == true
    else { return false }
    let before = session?.activeUsers[seat]
    let user = access.subject.ruid
    session?.isActive = true
    session?.activeUsers[seat] = user
    for device in devices where device.seat == seat && device.isTaggedForUserAccess {
      guard let path = device.node, access.nodes.contains(where: { $0.path.isSame(as: path) })
      else {
        continue
      }
      _ = access.changeNode(at: path) {
        $0.giveSeatEntry(to: user, insteadOf: before.map { [$0] } ?? [])
      }
    }
    return true
  }
}

extension Subject {
  fileprivate mutating func setGroup(_ group: UInt32) {
    rgid = group
    egid = group
    sgid = group
    fsgid = group
  }
}
