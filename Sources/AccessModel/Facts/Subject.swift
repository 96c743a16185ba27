/// The thread that asks: its credentials, as `current_cred()` holds them.
///
/// Identifiers are numbered as in the initial user namespace.
public struct Subject: Hashable, Sendable {
  /// What could not be observed of a subject.
  public enum Element: String, Hashable, Sendable, Codable {
    /// The user and group identifiers.
    case ids
    /// The supplementary groups.
    case groups
    /// The capability sets.
    case capabilities
    /// The secure bits (another process's cannot be read).
    case securebits
    /// The maps of the user namespace.
    case userns
    /// The device control group (a version 2 program cannot be read).
    case deviceCgroup = "devcg"
    /// Some identifiers read as the overflow identifier (65534): which they are is unknown.
    case overflowIDs = "overflow_ids"
    /// The identifiers of a dynamic user, which systemd chooses when it starts the unit.
    ///
    /// Those in the subject stand for any of 61184 to 65519 (systemd.exec(5), `DynamicUser=`).
    case dynamicIDs = "dynamic_ids"
  }

  /// The numbers of dynamic users and their groups (`DYNAMIC_UID_MIN`, `DYNAMIC_UID_MAX`).
  public static let dynamicIDs: ClosedRange<UInt32> = 61184...65519

  /// The real user, whom access(2) asks about.
  public var ruid: UInt32
  /// The effective user; open(2) looks at ``fsuid``, which follows it.
  public var euid: UInt32
  /// The saved user, which the thread may take back.
  public var suid: UInt32
  /// The only user identifier that open(2) looks at.
  public var fsuid: UInt32
  /// The real group, which access(2) asks about.
  public var rgid: UInt32
  /// The effective group; open(2) looks at ``fsgid``, which follows it.
  public var egid: UInt32
  /// The saved group, which the thread may take back.
  public var sgid: UInt32
  /// The primary group that open(2) looks at.
  public var fsgid: UInt32
  /// The supplementary groups, in the kernel's order; they may repeat.
  public var groups: [UInt32]
  /// The capabilities that the thread may raise (`CapPrm` in `/proc/PID/status`).
  public var permitted: CapabilitySet = []
  /// The capabilities that count now (`CapEff`).
  public var effective: CapabilitySet = []
  /// The capabilities that a program with inheritable ones keeps (`CapInh`).
  public var inheritable: CapabilitySet = []
  /// The most that execve(2) can give (`CapBnd`).
  public var bounding: CapabilitySet = .all
  /// The capabilities that an ordinary program keeps (`CapAmb`).
  public var ambient: CapabilitySet = []
  /// The secure bits, as `PR_GET_SECUREBITS` returns them.
  public var securebits: UInt32 = 0
  /// Whether execve(2) grants nothing any more (`NoNewPrivs`, prctl(2)).
  public var noNewPrivileges = false
  /// The maps of the subject's user namespace, composed down to the initial one; `nil` for the
  /// initial namespace.
  public var userNamespace: IDMapping?
  /// The version 1 device list; `nil` when none restricts the subject.
  public var deviceCgroup: DeviceCgroup?
  /// What is unknown of the subject; the properties that hold it count for nothing.
  public var unobserved: Set<Element> = []

  /// A subject whose real, effective, saved and filesystem identifiers are the same.
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

  /// Whether its user identifiers are all the same, and so its group identifiers.
  var hasOneIdentity: Bool {
    ruid == fsuid && euid == fsuid && suid == fsuid
      && rgid == fsgid && egid == fsgid && sgid == fsgid
  }

  /// The number that stands for every identifier without one in a namespace; no process can take
  /// it.
  static var overflowID: UInt32 { 65534 }
}
