/// A user or group that gains or loses access to one object because of a change.
public struct Gain: Hashable, Sendable {
  /// The kind of user or group.
  public enum Who: Hashable, Sendable {
    /// The subject of the question, for an object other than the requested one.
    case subject
    /// The user with the given number.
    case user(UInt32)
    /// All members of the group with the given number.
    case group(UInt32)
    /// All users of the machine.
    case everyone
  }

  /// The user or group that gains or loses access.
  public var who: Who
  /// The canonical path of the object.
  public var path: String
  /// The permissions that are granted only after the change, or only before it.
  public var permissions: Permissions
  /// The permissions that the change itself adds or removes.
  ///
  /// If a user could read and now can read and write, this is only write.
  var change: Permissions

  /// Creates a gain of one user or group, or of all users, for one object.
  public init(_ who: Who, path: String, permissions: Permissions) {
    self.who = who
    self.path = path
    self.permissions = permissions
    change = permissions
  }
}
