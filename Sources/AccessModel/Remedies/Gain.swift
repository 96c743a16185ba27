/// A user or group that gains or loses access to one object through a change.
public struct Gain: Hashable, Sendable {
  /// The user or group.
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

  /// The user or group that gains or loses access.
  public var who: Who
  /// The object, by its canonical path.
  public var path: String
  /// The access that is granted only after the change, or only before it.
  public var permissions: Permissions
  /// The part of ``permissions`` that the change makes, without what is granted before and after.
  ///
  /// A user who could read, and can now read and write, gains write.
  var change: Permissions

  /// Creates a gain of one user, group or everyone at one object.
  public init(_ who: Who, path: String, permissions: Permissions) {
    self.who = who
    self.path = path
    self.permissions = permissions
    change = permissions
  }
}
