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
