extension Subject {
  /// `SECBIT_NOROOT`: user 0 gets no capabilities for being user 0.
  private static let noRoot: UInt32 = 1
  /// `SECBIT_KEEP_CAPS`, which execve always clears.
  private static let keepCapabilities: UInt32 = 16

  /// The subject after it has started a program, or `nil` when execve(2) refuses with `EPERM`.
  ///
  /// Refused is a program that needs its file capabilities and cannot get all of them. The
  /// kernel's functions are `bprm_fill_uid` and `cap_bprm_creds_from_file`, as of Linux 6.17: a
  /// change of ids is measured against the effective ids and the groups, before that against the
  /// real ids. A caller that is traced or shares its filesystem state is not modelled.
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

  /// Takes over the owner and group of a set-id program, when the namespace maps both.
  private mutating func takeIDs(of file: ExecutableFacts) {
    if let userNamespace {
      guard userNamespace.users.inside(file.uid) != nil,
        userNamespace.groups.inside(file.gid) != nil
      else { return }
    }
    guard file.uid != .max, file.gid != .max else { return }
    if file.mode & 0o4000 != 0 { euid = file.uid }
    // Without the group's execute bit the set-group-id bit means mandatory locking.
    if file.mode & 0o2010 == 0o2010 { egid = file.gid }
  }
}
