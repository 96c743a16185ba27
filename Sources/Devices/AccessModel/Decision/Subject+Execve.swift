extension Subject {
  /// `SECBIT_NOROOT`, which gives user 0 no capabilities for being user 0.
  private static let noRoot: UInt32 = 1
  /// `SECBIT_KEEP_CAPS`, which execve(2) always clears.
  private static let keepCapabilities: UInt32 = 16

  /// Returns the subject after it has executed a program; `nil` if execve(2) fails with `EPERM`.
  ///
  /// execve(2) fails if the file has the effective bit and not all of its permitted capabilities
  /// can be granted. The kernel's functions are `bprm_fill_uid` and `cap_bprm_creds_from_file`, as
  /// of Linux 6.17. That version compares the new IDs with the effective user ID and the groups;
  /// earlier versions compare them with the real IDs. A caller that is traced or shares its
  /// filesystem state is not modelled.
  ///
  /// See <doc:KernelRules#Credentials-after-execve>.
  public func afterExecve(of file: ExecutableFacts) -> Subject? {
    var result = self
    if file.isPrivilegeHonoured && !noNewPrivileges { result.takeIDs(of: file) }

    // P' = (B & fP) | (I & fI).
    let fileCapabilities = file.isPrivilegeHonoured ? file.capabilities : nil
    var isEffective = false
    result.permitted = []
    if let capabilities = fileCapabilities {
      isEffective = capabilities.isEffective
      result.permitted =
        bounding.intersection(capabilities.permitted)
        .union(inheritable.intersection(capabilities.inheritable))
      let lacking = capabilities.permitted.bits & ~result.permitted.bits
      if isEffective && lacking != 0 { return nil }
    }

    let root = userNamespace.map { $0.users.outside(0) } ?? 0
    let isEffectiveRoot = result.euid == root
    let isRealRoot = result.ruid == root
    let isMixed = fileCapabilities != nil && isEffectiveRoot && !isRealRoot
    if securebits & Self.noRoot == 0 && !isMixed {
      if isEffectiveRoot || isRealRoot { result.permitted = bounding.union(inheritable) }
      if isEffectiveRoot { isEffective = true }
    }

    let isChanged =
      result.euid != euid || !(result.egid == fsgid || groups.contains(result.egid))
    let isGaining = result.permitted.bits & ~permitted.bits != 0
    if (isChanged || isGaining) && noNewPrivileges {
      result.euid = ruid
      result.egid = rgid
      result.permitted.formIntersection(permitted)
    }
    result.suid = result.euid
    result.fsuid = result.euid
    result.sgid = result.egid
    result.fsgid = result.egid
    if fileCapabilities != nil || isChanged { result.ambient = [] }
    result.permitted.formUnion(result.ambient)
    result.effective = isEffective ? result.permitted : result.ambient
    result.securebits &= ~Self.keepCapabilities
    return result
  }

  /// Applies the set-ID bits of a program if the subject's namespace maps its owner and group.
  private mutating func takeIDs(of file: ExecutableFacts) {
    if let userNamespace {
      guard userNamespace.users.inside(file.uid) != nil,
        userNamespace.groups.inside(file.gid) != nil
      else { return }
    }
    guard file.uid != .max, file.gid != .max else { return }
    if file.mode & 0o4000 != 0 { euid = file.uid }
    // Without the group execute bit, the set-group-ID bit means mandatory locking.
    if file.mode & 0o2010 == 0o2010 { egid = file.gid }
  }
}

/// The properties of an executable file that execve(2) uses.
public struct ExecutableFacts: Hashable, Sendable {
  /// The capabilities of a file, as stored in its `security.capability` attribute.
  public struct FileCapabilities: Hashable, Sendable {
    /// The capabilities that the program gains, limited by the bounding set.
    public var permitted: CapabilitySet
    /// The capabilities that the program keeps if they are also in the caller's inheritable set.
    public var inheritable: CapabilitySet
    /// The effective bit, which makes all permitted capabilities effective when the program starts.
    ///
    /// It is meant for programs that do not manage capabilities themselves.
    public var isEffective: Bool

    /// Creates the capabilities of a file; `cap_sys_rawio=ep` sets `isEffective`.
    public init(permitted: CapabilitySet, inheritable: CapabilitySet = [], isEffective: Bool) {
      self.permitted = permitted
      self.inheritable = inheritable
      self.isEffective = isEffective
    }
  }

  /// `st_mode & 07777`.
  public var mode: UInt16
  /// The owner as seen through the mount.
  public var uid: UInt32
  /// The group as seen through the mount.
  public var gid: UInt32
  /// The file's capabilities; `nil` if it has none.
  public var capabilities: FileCapabilities?
  /// A Boolean value that indicates whether set-ID bits and file capabilities apply
  /// (`mnt_may_suid`).
  ///
  /// They apply if the mount is not `nosuid`, is in the caller's mount namespace, and has a
  /// superblock that belongs to the caller's user namespace or one of its ancestors.
  public var isPrivilegeHonoured: Bool

  /// Creates the facts of a program.
  ///
  /// By default, the file has no capabilities, and set-ID bits apply.
  public init(
    mode: UInt16, uid: UInt32, gid: UInt32, capabilities: FileCapabilities? = nil,
    isPrivilegeHonoured: Bool = true
  ) {
    self.mode = mode
    self.uid = uid
    self.gid = gid
    self.capabilities = capabilities
    self.isPrivilegeHonoured = isPrivilegeHonoured
  }
}
