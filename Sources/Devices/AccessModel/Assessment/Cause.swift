/// The cause of a refusal, with a code from a closed set.
public struct Cause: Hashable, Sendable {
  /// The code of the cause, whose meaning never changes.
  public var code: CauseCode
  /// A one-sentence description of the problem, with the names and numbers of this case.
  public var summary: String
  /// The path that the cause concerns.
  public var at: String?
  /// A Boolean value that indicates whether the facts prove the cause.
  ///
  /// If it is `false`, the cause is only the most likely explanation.
  public var isProven: Bool

  /// Creates a cause, which is proven by default.
  public init(_ code: CauseCode, summary: String, at: String? = nil, isProven: Bool = true) {
    self.code = code
    self.summary = summary
    self.at = at
    self.isProven = isProven
  }
}

/// The reason for a refusal: a closed set of codes.
///
/// The raw values are stable and part of the JSON schema. The article *Causes* describes the
/// symptom and the fix of each cause.
public enum CauseCode: String, Hashable, Sendable, Codable, CaseIterable {
  // MARK: Nothing to open

  /// The node does not exist, and no observation explains why.
  case nodeAbsent = "NODE_ABSENT"
  /// The hardware is present, but no kernel driver has created a node for it.
  case nodeAbsentNoDriver = "NODE_ABSENT_NO_DRIVER"
  /// The hardware is present, but another driver or a program holds the interface for the node.
  case usbDriverBound = "USB_DRIVER_BOUND"
  /// The driver's module exists, but the kernel refused to load it.
  ///
  /// The module has no valid signature, or the process does not have the capability to load
  /// modules.
  case moduleLoadRefused = "MODULE_LOAD_REFUSED"
  /// The driver's module was not built for the running kernel.
  case moduleNotBuilt = "MODULE_NOT_BUILT"
  /// The USB device, or one of its interfaces, is not authorized, so no driver can bind to it.
  case usbNotAuthorized = "USB_NOT_AUTHORIZED"
  /// The USB device has no active configuration and therefore no interfaces.
  case usbNotConfigured = "USB_NOT_CONFIGURED"
  /// The node has a number that no driver has registered (`ENXIO`).
  case nodeNoDriver = "NODE_NO_DRIVER"
  /// The driver exists, but the device behind the node has been removed (`ENODEV`).
  case nodeDeviceGone = "NODE_DEVICE_GONE"
  /// The path exists but is a directory, a regular file, a FIFO or a socket.
  case nodeNotADevice = "NODE_NOT_A_DEVICE"
  /// The node at the path belongs to another device, such as the null device.
  case nodeOtherDevice = "NODE_OTHER_DEVICE"
  /// The kernel has the device, but the `/dev` that the subject sees does not contain its node.
  case nodeHidden = "NODE_HIDDEN"
  /// The device has a node other than the requested one.
  case nodeRenumbered = "NODE_RENUMBERED"
  /// The camera or a bus on the board is turned off by a key, a switch or the firmware.
  case hardwareOff = "HARDWARE_OFF"
  /// The node exists, but udev has not set its permissions yet.
  case bootRace = "BOOT_RACE"
  /// No udev daemon is running to set the node's permissions.
  case udevNotRunning = "UDEV_NOT_RUNNING"
  /// The node is a metadata, output or other companion of a capture node.
  case wrongNodeMetadata = "WRONG_NODE_METADATA"
  /// The node belongs to a codec or to a pipeline that only a media controller program can use.
  case wrongNodePipeline = "WRONG_NODE_PIPELINE"
  /// A virtual camera accepts pictures but delivers none until a program feeds it.
  case loopbackCaps = "LOOPBACK_CAPS"

  // MARK: Modes, owners and lists

  /// Owner and mode give access to the owner only, or not even to the owner.
  case modeOwner = "MODE_OWNER"
  /// The subject is in the owning group, whose bits do not grant the requested access.
  case modeGroup = "MODE_GROUP"
  /// A group would grant access, but the subject's user is not a member.
  case groupNotMember = "GROUP_NOT_MEMBER"
  /// The group database lists the user in the group, but the process was started without it.
  case groupNotRefreshed = "GROUP_NOT_REFRESHED"
  /// The process runs without the groups that its user gets at a login.
  case groupsDropped = "GROUPS_DROPPED"
  /// An entry of the access control list would suffice, but the mask restricts it.
  case aclMask = "ACL_MASK"
  /// An entry names this user, grants too little, and takes precedence over every group.
  case aclNamedEntry = "ACL_NAMED_ENTRY"
  /// Group entries match, but none of them grants all of the requested access.
  ///
  /// The kernel does not combine the permissions of several entries.
  case aclGroupEntry = "ACL_GROUP_ENTRY"
  /// The user's session is active and the device is tagged `uaccess`, but the node has no entry
  /// for the user.
  case aclAbsent = "ACL_ABSENT"
  /// The list has an entry for a user who should no longer have one.
  case aclStale = "ACL_STALE"
  /// No rule tags the device `uaccess`, or the rule that does sorts after `73-seat-late.rules`.
  case uaccessNotTagged = "UACCESS_NOT_TAGGED"
  /// The device is tagged `uaccess`, but the user has no active session on its seat.
  case uaccessNotActive = "UACCESS_NOT_ACTIVE"
  /// The subject has no search permission on a directory in the path.
  case parentNotSearchable = "PARENT_NOT_SEARCHABLE"
  /// The node is one that camera programs need in addition to the camera itself.
  case auxNode = "AUX_NODE"
  /// The group has the right name, but its number differs from the node's group.
  case gidMismatch = "GID_MISMATCH"
  /// The owner or group of the object has no number in the user namespace or through the mount.
  case usernsUnmapped = "USERNS_UNMAPPED"
  /// The process has a permitted capability that would grant access, but has not made it effective.
  case capabilityNotEffective = "CAPABILITY_NOT_EFFECTIVE"

  // MARK: Mounts and inode flags

  /// The mount or its superblock forbids opening device nodes.
  case mountNodev = "MOUNT_NODEV"
  /// The mount or the filesystem is read-only.
  case mountReadOnly = "MOUNT_RO"
  /// The mount forbids executing files.
  case mountNoexec = "MOUNT_NOEXEC"
  /// The inode is immutable, and no permission overrides this.
  case fileImmutable = "FILE_IMMUTABLE"
  /// The inode is marked append-only and can be opened only for appending.
  case fileAppendOnly = "FILE_APPEND_ONLY"
  /// Mounts made on the host do not propagate into the container or the service.
  case mountPropagation = "MOUNT_PROPAGATION"
  /// The file server maps or squashes the identity.
  case nfsIDMap = "NFS_IDMAP"
  /// Another user mounted the FUSE filesystem without `allow_other`.
  case fuseOtherUser = "FUSE_OTHER_USER"

  // MARK: The path

  /// A component in the middle of the path is not a directory.
  case pathNotADirectory = "PATH_NOT_A_DIRECTORY"
  /// The path or a name in it is longer than the kernel accepts.
  case pathTooLong = "PATH_TOO_LONG"
  /// The path leads through more than 40 symbolic links, for example in a loop.
  case symlinkLoop = "SYMLINK_LOOP"
  /// A rule does not allow the kernel to follow a symbolic link.
  case symlinkRefused = "SYMLINK_REFUSED"
  /// A flag of the open call requires more than the object allows.
  case openFlagRefused = "OPEN_FLAG_REFUSED"

  // MARK: Containers, sandboxes and services

  /// The device control group refuses access with `EPERM`, even to root.
  case cgroupDevice = "CGROUP_DEVICE"
  /// The container holds a node from before the device was plugged in again.
  case containerHotplug = "CONTAINER_HOTPLUG"
  /// The node exists in the container, but the container's user has no permission on it.
  case containerNoAccess = "CONTAINER_NO_ACCESS"
  /// `PrivateDevices=`, `DevicePolicy=` or `DeviceAllow=` of the systemd unit hides or refuses
  /// the node.
  case unitPrivateDevices = "UNIT_PRIVATE_DEVICES"
  /// The device appeared after systemd had created the device policy that names its node.
  case unitPolicyOutdated = "UNIT_POLICY_OUTDATED"
  /// The dynamic user of the systemd unit has no group or list entry that gives access to the node.
  case unitDynamicUser = "UNIT_DYNAMIC_USER"
  /// `ProtectHome=` of the systemd unit hides the directory.
  case unitProtectHome = "UNIT_PROTECT_HOME"
  /// `InaccessiblePaths=` of the systemd unit hides the object.
  case unitInaccessiblePath = "UNIT_INACCESSIBLE_PATH"
  /// `RootDirectory=` of the systemd unit sets another root directory, which lacks the path.
  case unitRootDirectory = "UNIT_ROOT_DIRECTORY"
  /// SELinux refuses access.
  case selinux = "SELINUX"
  /// AppArmor refuses access.
  case appArmor = "APPARMOR"
  /// A Landlock domain of the process refuses access.
  case landlock = "LANDLOCK"
  /// A seccomp filter refuses the system call.
  case seccomp = "SECCOMP"
  /// The snap's interface for the object is not plugged or not connected.
  case snapInterface = "SNAP_INTERFACE"
  /// The flatpak does not have the device permission, and the portal was not used.
  case flatpakDevice = "FLATPAK_DEVICE"
  /// The flatpak does not have the filesystem permission.
  case flatpakFilesystem = "FLATPAK_FILESYSTEM"
  /// A sandbox tool gives the program a `/dev` without the node.
  case sandboxPrivateDev = "SANDBOX_PRIVATE_DEV"
  /// A sandbox or container shows the device but hides the udev database that programs search.
  case udevDatabaseHidden = "UDEV_DATABASE_HIDDEN"

  // MARK: Portal, use and album

  /// The portal's permission store contains `no`.
  case portalStoredNo = "PORTAL_STORED_NO"
  /// The portal's permission store contains `ask`, but opening accepts only `yes`.
  case portalStoredAsk = "PORTAL_STORED_ASK"
  /// The portal or its backend is not set up.
  case portalService = "PORTAL_SERVICE"
  /// Another process streams from the device.
  case busy = "BUSY"
  /// A service that waits for a login on the serial port has taken over its node.
  case nodeTaken = "NODE_TAKEN"
  /// The subject cannot access the lock file directory that serial port programs need.
  case lockDirectory = "LOCK_DIR"
  /// A service that searches for modems opens the serial port and writes to it.
  case portProbed = "PORT_PROBED"
  /// A driver or another program holds an interface of the USB device that programs claim
  /// (`EBUSY`).
  case usbClaimed = "USB_CLAIMED"
  /// The daemon that programs use to reach the device asks polkit, which refuses.
  case polkitRefused = "POLKIT_REFUSED"
  /// The driver, or another layer after the permission checks, refuses to open the device.
  case openFailed = "OPEN_FAILED"
  /// The USB bus has no bandwidth left for the stream.
  case usbBandwidth = "USB_BANDWIDTH"
  /// The pictures directory does not exist or is not configured.
  case albumDirectoryMissing = "ALBUM_DIR_MISSING"
  /// The subject cannot access the pictures directory, or a directory above it.
  case albumTraverse = "ALBUM_TRAVERSE"
  /// The facts do not show the cause.
  case unknown = "UNKNOWN"
}
