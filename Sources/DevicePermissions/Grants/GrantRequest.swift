public import AccessModel

/// What a grant is to give, to whom and for how long.
public struct GrantRequest: Hashable, Sendable {
  /// How long a grant lasts.
  public enum Lifetime: Hashable, Sendable {
    /// Some seconds: at least one, and ``GrantRequest/longest`` at most.
    case seconds(Int64)
    /// Until it is revoked, also after the device came back and after a reboot.
    case permanent
  }

  /// The longest time of a grant that ends, in seconds: thirty days.
  public static let longest: Int64 = 2_592_000
  /// The time of a grant where none is given, in seconds: an hour.
  public static let usual: Int64 = 3_600

  /// What access is given to: a kind, of which the best device is chosen, or a path.
  public var target: Question.Target
  /// The user, by name or number.
  public var user: String
  /// The access; `nil` for what the kind of the device needs, and for reading in the album.
  public var permissions: Permissions?
  /// How long it lasts.
  public var lifetime: Lifetime

  /// Creates a request, for an hour unless told otherwise.
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
