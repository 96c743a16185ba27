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
  /// Whether the object was not found when the grant was taken back.
  ///
  /// Only root finds a file that was moved; to another caller it is gone, and keeps the entry.
  public var isGone = false
  /// What taking it back does, as commands of a shell; empty where nothing was to be written.
  public var commands: [String] = []

  /// More grants than anybody gives by hand.
  package static let most = 128

  /// Creates a grant that stands, and whose object is there.
  package init(
    grant: AccessGrant, path: String, kind: String?, isOver: Bool, isGone: Bool = false
  ) {
    self.grant = grant
    self.path = path
    self.kind = kind
    self.isOver = isOver
    self.isGone = isGone
  }
}
