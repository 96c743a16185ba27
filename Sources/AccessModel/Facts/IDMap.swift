/// A map of user or group identifiers, as in `/proc/PID/uid_map` or of an id-mapped mount.
///
/// An identifier that no range covers is not mapped. An empty map maps nothing.
public struct IDMap: Hashable, Sendable {
  /// `length` identifiers from `inside` on stand for as many from `outside` on.
  public struct Range: Hashable, Sendable {
    public var inside: UInt32
    public var outside: UInt32
    public var length: UInt32

    public init(inside: UInt32, outside: UInt32, length: UInt32) {
      self.inside = inside
      self.outside = outside
      self.length = length
    }
  }

  public var ranges: [Range]

  public init(_ ranges: [Range]) {
    self.ranges = ranges
  }
}
