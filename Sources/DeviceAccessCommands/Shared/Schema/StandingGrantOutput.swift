internal import AccessModel
internal import DevicePermissions

/// A grant, as programs read it.
struct StandingGrantOutput: Encodable {
  /// Absent for one that was not given.
  let id: String?
  let path: String
  let kind: String?
  let user: UInt32
  let userName: String?
  /// What the user is called now, where it is another name.
  let currentName: String?
  let access: [String]
  let isPermanent: Bool
  let since: Int64
  let until: Int64?
  /// The user who gave it.
  let giver: UInt32
  /// Whether its time is over, and nothing has ended it yet.
  let isOver: Bool
  /// Whether the access list no longer gives it.
  let isLost: Bool
  /// Whether its object was not found.
  let isGone: Bool

  private enum CodingKeys: String, CodingKey {
    case id, path, kind, user
    case userName = "user_name"
    case currentName = "user_name_now"
    case access
    case isPermanent = "permanent"
    case since, until
    case giver = "by"
    case isOver = "over"
    case isLost = "lost"
    case isGone = "gone"
  }

  init(_ standing: StandingGrant) {
    self.init(
      standing.grant, path: standing.path, kind: standing.kind, isOver: standing.isOver,
      isLost: standing.isLost, isGone: standing.isGone, currentName: standing.currentName)
  }

  init(
    _ grant: AccessGrant, path: String, kind: String?, isOver: Bool, isLost: Bool = false,
    isGone: Bool = false, hasID: Bool = true, currentName: String? = nil
  ) {
    id = hasID ? grant.id : nil
    self.path = path
    self.kind = kind
    user = grant.user
    userName = grant.userName
    self.currentName = currentName
    access = grant.permissions.words(for: kind == nil ? .directory : .characterDevice)
    isPermanent = grant.end == nil
    since = grant.start
    until = grant.end
    giver = grant.giver
    self.isOver = isOver
    self.isLost = isLost
    self.isGone = isGone
  }
}
