public import AccessModel

/// A grant that stands, with its object.
public struct StandingGrant: Hashable, Sendable {
  /// The grant.
  public var grant: AccessGrant
  /// Where its object was last found.
  public var path: String
  /// The kind of the device; `nil` for a part of the album.
  public var kind: String?
  /// Whether its time is over, and nothing has ended it yet.
  public var isOver: Bool
  /// Whether the access list of the object no longer gives it, because something else changed the list,
  /// such as an event of a device that udev does not follow.
  public var isLost = false
  /// Whether the object was not found: a device is not there now, and a file is gone or, for a caller other
  /// than root, no longer in the album.
  public var isGone = false
  /// Whether udev gives it again after an event of the device, which would end it otherwise; `nil` for a part
  /// of the album.
  public var survivesReplug: Bool?
  /// What the user can still open the object for, after the grant was taken back; `nil` for nothing.
  public var remaining: RemainingAccess?
  /// What the user is called now, where it is another name than that of the grant: the user was renamed, or
  /// the number has gone to somebody else, who has the access now.
  public var currentName: String?
  /// What taking it back does, as commands of a shell; empty where nothing was to be written.
  public var commands: [String] = []

  /// More grants than anybody gives by hand.
  package static let most = 128

  /// Creates a grant that stands; unless said otherwise, its object is there and has its entry.
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

  /// Creates a grant as the access list of its object leaves it.
  ///
  /// - Parameters:
  ///   - grant: The grant.
  ///   - object: Its object.
  ///   - isOver: Whether its time is over.
  ///   - list: The list; `nil` where it cannot be looked at.
  ///   - isGone: Whether the object was not found.
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
