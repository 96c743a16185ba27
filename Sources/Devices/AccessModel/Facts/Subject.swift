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

extension Subject: Codable {
  private enum Keys: String, CodingKey {
    case ruid
    case euid
    case suid
    case fsuid
    case rgid
    case egid
    case sgid
    case fsgid
    case groups
    case permitted = "cap_permitted"
    case effective = "cap_effective"
    case inheritable = "cap_inheritable"
    case bounding = "cap_bounding"
    case ambient = "cap_ambient"
    case securebits
    case noNewPrivileges = "no_new_privs"
    case userNamespace = "userns"
    case deviceCgroup = "devcg"
    case unobserved
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    ruid = try values.decode(UInt32.self, forKey: .ruid)
    euid = try values.decode(UInt32.self, forKey: .euid)
    suid = try values.decode(UInt32.self, forKey: .suid)
    fsuid = try values.decode(UInt32.self, forKey: .fsuid)
    rgid = try values.decode(UInt32.self, forKey: .rgid)
    egid = try values.decode(UInt32.self, forKey: .egid)
    sgid = try values.decode(UInt32.self, forKey: .sgid)
    fsgid = try values.decode(UInt32.self, forKey: .fsgid)
    groups = try values.bounded(.groups, limit: CaseLimits.groups)
    permitted = try values.decode(CapabilitySet.self, forKey: .permitted)
    effective = try values.decode(CapabilitySet.self, forKey: .effective)
    inheritable = try values.decodeIfPresent(CapabilitySet.self, forKey: .inheritable) ?? []
    bounding = try values.decodeIfPresent(CapabilitySet.self, forKey: .bounding) ?? .all
    ambient = try values.decodeIfPresent(CapabilitySet.self, forKey: .ambient) ?? []
    securebits = try values.decode(UInt32.self, forKey: .securebits)
    noNewPrivileges = try values.decodeIfPresent(Bool.self, forKey: .noNewPrivileges) ?? false
    userNamespace = try values.decodeIfPresent(IDMapping.self, forKey: .userNamespace)
    deviceCgroup = try values.decodeIfPresent(DeviceCgroup.self, forKey: .deviceCgroup)
    unobserved = try values.decodeIfPresent(Set<Element>.self, forKey: .unobserved) ?? []
    // Null means that there is none; a missing key means that it was not observed.
    if !values.contains(.userNamespace) { unobserved.insert(.userns) }
    if !values.contains(.deviceCgroup) { unobserved.insert(.deviceCgroup) }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(ruid, forKey: .ruid)
    try values.encode(euid, forKey: .euid)
    try values.encode(suid, forKey: .suid)
    try values.encode(fsuid, forKey: .fsuid)
    try values.encode(rgid, forKey: .rgid)
    try values.encode(egid, forKey: .egid)
    try values.encode(sgid, forKey: .sgid)
    try values.encode(fsgid, forKey: .fsgid)
    try values.encode(groups, forKey: .groups)
    try values.encode(permitted, forKey: .permitted)
    try values.encode(effective, forKey: .effective)
    if !inheritable.isEmpty { try values.encode(inheritable, forKey: .inheritable) }
    if bounding != .all { try values.encode(bounding, forKey: .bounding) }
    if !ambient.isEmpty { try values.encode(ambient, forKey: .ambient) }
    try values.encode(securebits, forKey: .securebits)
    if noNewPrivileges { try values.encode(noNewPrivileges, forKey: .noNewPrivileges) }
    try values.encode(userNamespace, forKey: .userNamespace)
    try values.encode(deviceCgroup, forKey: .deviceCgroup)
    try values.encodeSorted(unobserved, forKey: .unobserved)
  }
}
