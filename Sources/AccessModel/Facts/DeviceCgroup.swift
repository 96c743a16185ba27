/// The device list of a version 1 control group.
///
/// devices.list can print an allow-all line after a deny, so a list that was read from there is
/// evidence and not proof.
public struct DeviceCgroup: Hashable, Sendable {
  /// What holds for a device that no exception matches.
  public enum Default: String, Hashable, Sendable, Codable {
    /// Every device is allowed; an exception refuses.
    case allow
    /// No device is allowed; an exception allows.
    case deny
  }

  /// One exception to the default.
  public struct Exception: Hashable, Sendable {
    /// `true` for block devices, `false` for character devices.
    public var isBlock: Bool
    /// `nil` stands for every major number.
    public var major: UInt32?
    /// `nil` stands for every minor number.
    public var minor: UInt32?
    /// `r`: opening to read.
    public var read: Bool
    /// `w`: opening to write.
    public var write: Bool
    /// `m`: making a node with mknod(2), which no open asks for.
    public var makeNode: Bool

    /// Creates an exception, as one line of `devices.list` holds it.
    public init(
      isBlock: Bool, major: UInt32?, minor: UInt32?, read: Bool, write: Bool, makeNode: Bool
    ) {
      self.isBlock = isBlock
      self.major = major
      self.minor = minor
      self.read = read
      self.write = write
      self.makeNode = makeNode
    }
  }

  /// What holds for a device that no exception matches.
  public var defaultBehavior: Default
  /// The exceptions to the default; no two of them are added up.
  public var exceptions: [Exception]

  /// Creates a list from its default and the exceptions to it.
  public init(defaultBehavior: Default, exceptions: [Exception]) {
    self.defaultBehavior = defaultBehavior
    self.exceptions = exceptions
  }
}
