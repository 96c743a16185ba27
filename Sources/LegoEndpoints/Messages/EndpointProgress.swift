/// How much of a body was sent or received.
public struct EndpointProgress: Hashable, Sendable {
  /// Which body it is.
  public enum Direction: Hashable, Sendable {
    /// The request's.
    case sent
    /// The response's.
    case received
  }

  /// Which body it is.
  public let direction: Direction
  /// How many bytes so far; of a packed response, after unpacking.
  public let bytes: Int
  /// How many bytes there will be, if that is known; of a packed response it is not.
  public let total: Int?

  /// Creates a value.
  public init(_ direction: Direction, bytes: Int, total: Int? = nil) {
    self.direction = direction
    self.bytes = bytes
    self.total = total
  }
}
