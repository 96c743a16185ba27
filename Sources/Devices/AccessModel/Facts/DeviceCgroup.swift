/// The device list of a version 1 control group.
///
/// A list that was read from `devices.list` is evidence but not proof, because the file can show a
/// line that allows everything after a denial.
public struct DeviceCgroup: Hashable, Sendable {
  /// The behavior for a device that no exception matches.
  public enum Default: String, Hashable, Sendable, Codable {
    /// Every device is allowed unless an exception refuses it.
    case allow
    /// No device is allowed unless an exception allows it.
    case deny
  }

  /// An exception to the default behavior.
  public struct Exception: Hashable, Sendable {
    /// `true` for block devices; `false` for character devices.
    public var isBlock: Bool
    /// The major number; `nil` matches every number.
    public var major: UInt32?
    /// The minor number; `nil` matches every number.
    public var minor: UInt32?
    /// `r`: opening a device for reading.
    public var read: Bool
    /// `w`: opening a device for writing.
    public var write: Bool
    /// `m`: creating a device node with mknod(2), which open(2) never requires.
    public var makeNode: Bool

    /// Creates an exception that corresponds to a line of `devices.list`.
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

  /// The behavior for a device that no exception matches.
  public var defaultBehavior: Default
  /// The exceptions to the default behavior.
  ///
  /// Each exception is compared with a request separately. The permissions of several exceptions
  /// are not combined.
  public var exceptions: [Exception]

  /// Creates a list from its default behavior and the exceptions to it.
  public init(defaultBehavior: Default, exceptions: [Exception]) {
    self.defaultBehavior = defaultBehavior
    self.exceptions = exceptions
  }
}
