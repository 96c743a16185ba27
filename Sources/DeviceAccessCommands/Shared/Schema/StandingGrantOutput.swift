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

  /// Whether it holds after an event of the device; absent where that is not known.
  let survivesReplug: Bool?
  /// What the user can still open it for, after it was taken back; absent for nothing.
  let remaining: Remaining?

  /// Access that is left after a grant has ended.
  struct Remaining: Encodable {
    /// Empty where it cannot be told.
    let access: [String]
    /// What gives it.
    let by: [String]
    /// The identifiers of the grants among that.
    let grants: [String]

    init(_ remaining: RemainingAccess, isDevice: Bool) {
      access = remaining.permissions.words(for: isDevice ? .characterDevice : .directory)
      var words: [String] = []
      for source in remaining.sources where !words.contains(source.word) {
        words.append(source.word)
      }
      by = words
      grants = remaining.sources.compactMap { source in
        if case .grant(let grant) = source { grant.id } else { nil }
      }
    }
  }

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
    case survivesReplug = "survives_replug"
    case remaining
  }

  init(_ standing: StandingGrant) {
    self.init(
      standing.grant, path: standing.path, kind: standing.kind, isOver: standing.isOver,
      isLost: standing.isLost, isGone: standing.isGone, currentName: standing.currentName,
      survivesReplug: standing.survivesReplug, remaining: standing.remaining)
  }

  init(
    _ grant: AccessGrant, path: String, kind: String?, isOver: Bool, isLost: Bool = false,
    isGone: Bool = false, hasID: Bool = true, currentName: String? = nil,
    survivesReplug: Bool? = nil, remaining: RemainingAccess? = nil
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
    self.survivesReplug = survivesReplug
    self.remaining = remaining.map { Remaining($0, isDevice: kind != nil) }
  }
}
