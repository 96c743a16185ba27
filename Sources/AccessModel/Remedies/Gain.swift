/// Somebody who may do more, or less, with one object after a change.
public struct Gain: Hashable, Sendable {
  /// Who it is.
  public enum Who: Hashable, Sendable {
    /// The subject of the question, with another object than the one that was asked for.
    case subject
    case user(UInt32)
    /// Every member of a group.
    case group(UInt32)
    case everyone
  }

  public var who: Who
  /// The object, by its canonical path.
  public var path: String
  public var permissions: Permissions

  public init(_ who: Who, path: String, permissions: Permissions) {
    self.who = who
    self.path = path
    self.permissions = permissions
  }
}
