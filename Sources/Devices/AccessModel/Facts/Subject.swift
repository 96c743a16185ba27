/// The thread that makes the request, with its credentials as `current_cred()` holds them.
///
/// IDs are numbered as in the initial user namespace.
public struct Subject: Hashable, Sendable {
  /// A property of a subject that could not be observed.
  public enum Element: String, Hashable, Sendable, Codable {
    /// The user and group IDs.
    case ids
    /// The supplementary groups.
    case groups
    /// The capability sets.
    case capabilities
    /// The secure bits, which cannot be read for another process.
    case securebits
    /// The ID maps of the user namespace.
    case userns
    /// The device control group; the program of a version 2 group cannot be read.
    case deviceCgroup = "devcg"
    /// Some IDs read as the overflow ID (65534), so their real values are unknown.
    case overflowIDs = "overflow_ids"
    /// The IDs of a dynamic user, which systemd allocates when it starts the unit.
    ///
    /// The IDs in the subject represent any value from 61184 to 65519 (systemd.exec(5),
    /// `DynamicUser=`).
    case dynamicIDs = "dynamic_ids"
  }

  /// The range of IDs for dynamic users and their groups (`DYNAMIC_UID_MIN`, `DYNAMIC_UID_MAX`).
  public static let dynamicIDs: ClosedRange<UInt32> = 61184...65519

  /// The real user ID, which access(2) uses.
  public var ruid: UInt32
  /// The effective user ID; open(2) uses ``fsuid``, which follows this ID.
  public var euid: UInt32
  /// The saved user ID, which the thread can switch back to.
  public var suid: UInt32
  /// The filesystem user ID, the only user ID that open(2) uses.
  public var fsuid: UInt32
  /// The real group ID, which access(2) uses.
  public var rgid: UInt32
  /// The effective group ID; open(2) uses ``fsgid``, which follows this ID.
  public var egid: UInt32
  /// The saved group ID, which the thread can switch back to.
  public var sgid: UInt32
  /// The filesystem group ID, the primary group that open(2) uses.
  public var fsgid: UInt32
  /// The supplementary groups in the kernel's order; duplicates are possible.
  public var groups: [UInt32]
  /// The capabilities that the thread may make effective (`CapPrm` in `/proc/PID/status`).
  public var permitted: CapabilitySet = []
  /// The capabilities that the kernel currently checks (`CapEff`).
  public var effective: CapabilitySet = []
  /// The capabilities that a program keeps if they are also inheritable in its file (`CapInh`).
  public var inheritable: CapabilitySet = []
  /// The limit on the capabilities that an executable file can grant (`CapBnd`).
  public var bounding: CapabilitySet = .all
  /// The capabilities that an unprivileged program keeps (`CapAmb`).
  public var ambient: CapabilitySet = []
  /// The secure bits, as `PR_GET_SECUREBITS` returns them.
  public var securebits: UInt32 = 0
  /// A Boolean value that indicates whether execve(2) can no longer grant privileges.
  ///
  /// The kernel's attribute is `NoNewPrivs`; see prctl(2).
  public var noNewPrivileges = false
  /// The ID maps of the subject's user namespace, composed down to the initial one.
  ///
  /// The value is `nil` for the initial namespace.
  public var userNamespace: IDMapping?
  /// The version 1 device list; `nil` if the subject is not restricted by one.
  public var deviceCgroup: DeviceCgroup?
  /// The properties that could not be observed; their values are ignored.
  public var unobserved: Set<Element> = []

  /// Creates a subject whose real, effective, saved and filesystem IDs are the same.
  public init(uid: UInt32, gid: UInt32, groups: [UInt32] = []) {
    ruid = uid
    euid = uid
    suid = uid
    fsuid = uid
    rgid = gid
    egid = gid
    sgid = gid
    fsgid = gid
    self.groups = groups
  }

  /// A Boolean value that indicates whether all user IDs are equal and all group IDs are equal.
  var hasOneIdentity: Bool {
    ruid == fsuid && euid == fsuid && suid == fsuid
      && rgid == fsgid && egid == fsgid && sgid == fsgid
  }

  /// The ID that represents every ID without a mapping in a user namespace.
  package static var overflowID: UInt32 { 65534 }
}
