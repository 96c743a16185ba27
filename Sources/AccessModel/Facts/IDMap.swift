/// A map of user or group identifiers, as in `/proc/PID/uid_map` or of an id-mapped mount.
///
/// An identifier that no range covers is not mapped. An empty map maps nothing.
public struct IDMap: Hashable, Sendable {
  /// `length` identifiers from `inside` on stand for as many from `outside` on.
  public struct Range: Hashable, Sendable {
    /// The first identifier as the namespace, or the inode behind an id-mapped mount, numbers it.
    public var inside: UInt32
    /// The first identifier that it stands for outside.
    public var outside: UInt32
    /// How many identifiers the range covers.
    public var length: UInt32

    /// Creates a range, in the order of a line of `/proc/PID/uid_map`.
    public init(inside: UInt32, outside: UInt32, length: UInt32) {
      self.inside = inside
      self.outside = outside
      self.length = length
    }
  }

  /// The ranges, in the order of the kernel's file; the first that covers an identifier counts.
  public var ranges: [Range]

  /// Creates a map; without ranges it maps nothing.
  public init(_ ranges: [Range]) {
    self.ranges = ranges
  }
}
