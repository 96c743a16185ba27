/// What execve(2) looks at of the file that it starts.
public struct ExecutableFacts: Hashable, Sendable {
  /// The capabilities of a file, as its `security.capability` attribute holds them.
  public struct FileCapabilities: Hashable, Sendable {
    /// What the program gets, as far as the bounding set allows it.
    public var permitted: CapabilitySet
    /// What the program gets of its caller's inheritable capabilities.
    public var inheritable: CapabilitySet
    /// The effective bit: the program knows nothing of capabilities, so all become effective.
    public var isEffective: Bool

    /// Creates the capabilities of a file, such as `cap_sys_rawio=ep` where `isEffective`.
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
  /// `nil` when the file has none.
  public var capabilities: FileCapabilities?
  /// Whether set-id bits and file capabilities count there (`mnt_may_suid`): the mount is not
  /// `nosuid`, is in the caller's mount namespace, and its superblock belongs to the caller's
  /// user namespace or to one above.
  public var isPrivilegeHonoured: Bool

  /// Creates the facts of a program; without more, of one without capabilities on a mount that
  /// honours them.
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
