/// A map of user or group IDs, such as `/proc/PID/uid_map` or the map of an id-mapped mount.
///
/// An ID that no range covers is not mapped. An empty map maps no IDs.
public struct IDMap: Hashable, Sendable {
  /// A range of `length` IDs that starts at `inside` and maps to the range that starts at
  /// `outside`.
  public struct Range: Hashable, Sendable {
    /// The first ID as numbered inside the namespace, or in the inodes behind an id-mapped mount.
    public var inside: UInt32
    /// The first ID as numbered outside.
    public var outside: UInt32
    /// The number of IDs in the range.
    public var length: UInt32

    /// Creates a range from three values, in the order of a line in `/proc/PID/uid_map`.
    public init(inside: UInt32, outside: UInt32, length: UInt32) {
      self.inside = inside
      self.outside = outside
      self.length = length
    }
  }

  /// The ranges in the order of the kernel's file; the first one that covers an ID applies.
  public var ranges: [Range]

  /// Creates a map from ranges; an empty array maps no IDs.
  public init(_ ranges: [Range]) {
    self.ranges = ranges
  }
}
