public import AccessModel

/// A request to give a user access to an object.
public struct GrantRequest: Hashable, Sendable {
  /// The lifetime of a grant.
  public enum Lifetime: Hashable, Sendable {
    /// The given number of seconds, from 1 to ``GrantRequest/longest``.
    case seconds(Int64)
    /// Until the grant is revoked, even if the device is reconnected or the system restarts.
    case permanent
  }

  /// The longest lifetime of a temporary grant, in seconds: thirty days.
  public static let longest: Int64 = 2_592_000
  /// The default lifetime of a grant, in seconds: one hour.
  public static let usual: Int64 = 3_600

  /// The object: a path, or the preferred device of a kind.
  public var target: Question.Target
  /// The user, by name or number.
  public var user: String
  /// The access to give; `nil` for what the kind of device needs, and for reading in the album.
  public var permissions: Permissions?
  /// The lifetime of the grant.
  public var lifetime: Lifetime

  /// Creates a request, for one hour by default.
  public init(
    _ target: Question.Target, to user: String, for permissions: Permissions? = nil,
    lifetime: Lifetime = .seconds(usual)
  ) {
    self.target = target
    self.user = user
    self.permissions = permissions
    self.lifetime = lifetime
  }
}
