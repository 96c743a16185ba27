/// The device list of a version 1 control group.
///
/// devices.list can print an allow-all line after a deny, so a list that was read from there is
/// evidence and not proof.
public struct DeviceCgroup: Hashable, Sendable {
  public enum Default: String, Hashable, Sendable, Codable {
    case allow
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
    public var read: Bool
    public var write: Bool
    public var makeNode: Bool

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

  public var defaultBehavior: Default
  public var exceptions: [Exception]

  public init(defaultBehavior: Default, exceptions: [Exception]) {
    self.defaultBehavior = defaultBehavior
    self.exceptions = exceptions
  }
}
