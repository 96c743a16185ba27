/// Somebody who may do more, or less, with one object after a change.
public struct Gain: Hashable, Sendable {
  /// Who it is.
  public enum Who: Hashable, Sendable {
    /// The subject of the question, with another object than the one that was asked for.
    case subject
    /// One user, by its number.
    case user(UInt32)
    /// Every member of a group.
    case group(UInt32)
    /// Every user of the machine.
    case everyone
  }

  /// Who may do more, or less.
  public var who: Who
  /// The object, by its canonical path.
  public var path: String
  /// What they may do that they could not before, or the other way round.
  public var permissions: Permissions

  /// Creates a gain of one user, group or everyone at one object.
  public init(_ who: Who, path: String, permissions: Permissions) {
    self.who = who
    self.path = path
    self.permissions = permissions
  }
}
