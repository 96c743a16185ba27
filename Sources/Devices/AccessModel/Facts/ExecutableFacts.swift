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
