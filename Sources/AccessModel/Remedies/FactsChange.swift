/// What one command does to the facts, exactly as the command would change the machine.
///
/// Identifiers of entries and owners are the inode's, as in the facts.
public enum FactsChange: Hashable, Sendable {
  /// An option of a mount that a remount changes.
  public enum MountOption: String, Hashable, Sendable {
    /// The mount can be written, if its filesystem can.
    case readWrite = "rw"
    /// The mount cannot be written; the filesystem can be by its other mounts.
    case readOnly = "ro"
    /// Devices on the mount can be opened: the end of `nodev`.
    case devices = "dev"
    /// Programs on the mount can be started: the end of `noexec`.
    case programs = "exec"
    /// Links on the mount are followed: the end of `nosymfollow`.
    case symbolicLinks = "symfollow"
    /// The mount and the whole filesystem can be written, which a remount of the mount alone
    /// does not change.
    case filesystemReadWrite = "filesystem_rw"
    /// The mount and the whole filesystem cannot be written.
    case filesystemReadOnly = "filesystem_ro"

    /// The option as mount(8) takes it.
    var word: String {
      switch self {
      case .filesystemReadWrite: "rw"
      case .filesystemReadOnly: "ro"
      default: rawValue
      }
    }
  }

  /// A layer that the model does not hold, and that only the kernel's own answer shows.
  public enum OutsideLayer: Hashable, Sendable {
    /// The program of a device control group: EPERM on a device.
    case deviceProgram
    /// The policy of a security module: EACCES although modes and lists allow.
    case securityModule
  }

  // MARK: Nodes

  /// Sets entries of the access control list and recomputes the mask, unless one is among
  /// them (`setfacl -m`).
  case setEntries(path: String, entries: [ACLEntry])
  /// Replaces the whole list (`setfacl --set`).
  case replaceList(path: String, entries: [ACLEntry])
  /// Adds bits to the mode; with a list, its group bits are the mask (`chmod u+rw`).
  case addMode(path: String, bits: UInt16)
  /// Sets the mode (`chmod 0660`).
  case setMode(path: String, mode: UInt16)
  /// Sets owner or group (`chown`, `chgrp`).
  case changeOwner(path: String, user: UInt32?, group: UInt32?)
  /// Takes an inode flag away (`chattr -i`).
  case clearFlag(path: String, flag: Node.Flag)
  /// Sets an inode flag (`chattr +i`).
  case setFlag(path: String, flag: Node.Flag)
  /// Makes a directory with the missing ones above it (`mkdir -p`), which the subject then owns.
  case makeDirectory(path: String)
  /// A node appears: a driver is bound, a device is plugged in.
  case appear(Node)
  /// A node goes away (`rm`).
  case remove(path: String)
  /// Mounts the filesystem at a place again with an option.
  case remount(place: String, option: MountOption)
  /// The service's settings spare a path from what they make read-only (`ReadWritePaths=`).
  case spare(path: String)

  // MARK: Devices

  /// udev handles an event of the device at a node with a rule that sets mode, group or the tag
  /// `uaccess`; `nil` and `false` leave each as it is.
  case deviceEvent(path: String, mode: UInt16?, group: UInt32?, isTagged: Bool)
  /// The subject's session becomes the active one of its seat: logind takes the entries of the
  /// user before away and gives this user entries on the seat's tagged devices.
  case activateSession
  /// A layer outside the model lets the object pass.
  case lift(OutsideLayer)
  /// The device list of a control group lets the number pass.
  case allowDevice(DeviceNumber, isBlock: Bool, permissions: Permissions)
  /// The permission store of the portal holds another answer, or none.
  case storePortalAnswer(String?)

  // MARK: The subject and its request

  /// The database lists the user in a group; processes do not notice.
  case joinGroup(UInt32)
  /// The user logs in again and gets the groups of the database.
  case logIn
  /// The process starts with supplementary groups on top, the first one as its own where
  /// `isPrimary` (`newgrp`, `SupplementaryGroups=`).
  case addGroups([UInt32], isPrimary: Bool)
  /// The program raises capabilities that it is permitted.
  case raise(CapabilitySet)
  /// The program takes others of its own identifiers for the open.
  case takeIDs(user: UInt32, group: UInt32)
  /// The program asks in another way.
  case ask(Request)
}

extension FactsChange {
  /// The node whose mode, owner, list or flags it changes; `nil` for any other change.
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
