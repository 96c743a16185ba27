public import AccessModel

/// A grant, its object, and the current state of both.
public struct StandingGrant: Hashable, Sendable {
  /// The grant.
  public var grant: AccessGrant
  /// The path at which the object was last found.
  public var path: String
  /// The kind of the device; `nil` for a part of the album.
  public var kind: String?
  /// A Boolean value that indicates whether the grant has expired and has not been ended yet.
  public var isOver: Bool
  /// A Boolean value that indicates whether the object's access list no longer gives the access.
  ///
  /// Another program may have changed the list, or a device event may have reset it.
  public var isLost = false
  /// A Boolean value that indicates whether the object was not found.
  ///
  /// A device may be disconnected. A file may be deleted or, unless the caller is root, moved out
  /// of the album.
  public var isGone = false
  /// A Boolean value that indicates whether udev renews the grant after a device event that would
  /// end it.
  ///
  /// The value is `nil` for a part of the album, and if it is not known.
  public var survivesReplug: Bool?
  /// The access that the user still has after the revocation; `nil` if there is none.
  public var remaining: RemainingAccess?
  /// The current name of the user, if it differs from the name in the grant; otherwise `nil`.
  ///
  /// Either the user was renamed, or the number now belongs to another user, who has the access.
  public var currentName: String?
  /// The shell commands that have the same effect as a planned revocation.
  ///
  /// If several grants on an object are revoked, the first one can have the commands for all of
  /// them.
  public var commands: [String] = []

  /// The maximum number of grants in a record, which is more than anyone gives by hand.
  package static let most = 128

  /// Creates a grant; by default, its object exists and has the entry.
  package init(
    grant: AccessGrant, path: String, kind: String?, isOver: Bool, isLost: Bool = false,
    isGone: Bool = false
  ) {
    self.grant = grant
    self.path = path
    self.kind = kind
    self.isOver = isOver
    self.isLost = isLost
    self.isGone = isGone
  }

  /// Creates a grant, and checks whether the access list of its object still has the entry.
  ///
  /// - Parameters:
  ///   - grant: The grant.
  ///   - object: The object of the grant.
  ///   - isOver: `true` if the grant has expired.
  ///   - list: The list; `nil` if it cannot be read.
  ///   - isGone: `true` if the object was not found.
  package init(
    _ grant: AccessGrant, on object: GrantedObject, isOver: Bool, list: AccessList?,
    isGone: Bool = false
  ) {
    self.init(
      grant: grant, path: object.path, kind: object.kind, isOver: isOver,
      isLost: list.map { !$0.gives(grant.permissions, toUser: grant.user) } ?? false,
      isGone: isGone)
  }
}
