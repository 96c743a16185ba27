internal import AccessModel
internal import DevicePermissions

/// Sentences about a grant.
struct StandingGrantText {
  let grant: AccessGrant
  let path: String
  let kind: String?
  /// The user's current name, if the user was renamed.
  var currentName: String?
  let style: Style

  init(
    grant: AccessGrant, path: String, kind: String?, currentName: String? = nil, style: Style
  ) {
    self.grant = grant
    self.path = path
    self.kind = kind
    self.currentName = currentName
    self.style = style
  }

  init(_ standing: StandingGrant, _ style: Style) {
    self.init(
      grant: standing.grant, path: standing.path, kind: standing.kind,
      currentName: standing.currentName, style: style)
  }

  private var user: String {
    Self.user(
      grant.userName.map { style.safe($0, limit: 32) } ?? "user \(grant.user)", now: currentName,
      style)
  }

  /// Returns the name that the user had when access was given, and the current name if it differs.
  static func user(_ given: String, now currentName: String?, _ style: Style) -> String {
    currentName.map { "\(style.safe($0, limit: 32)) (given to \(given))" } ?? given
  }

  private var access: String { Self.access(grant.permissions, kind) }

  private static func access(_ permissions: Permissions, _ kind: String?) -> String {
    let type: FileType = kind == nil ? .directory : .characterDevice
    return permissions.words(for: type).listed()
  }

  private var place: String { style.safe(path, limit: 4096) }

  /// The time when the grant ends.
  var end: String {
    guard let end = grant.end else { return "until it is revoked" }
    return "until \(Timestamp(seconds: end).localText())"
  }

  var may: String { "\(user) may \(access) \(place) \(end)" }

  /// The reason why the grant no longer has an effect.
  var lost: String {
    "Another program had changed the access list"
      + (kind == nil ? "." : ", for example at an event of the device.")
  }

  /// The advice for a grant on a file that was not found.
  var moved: String {
    "It is not in the album. If it was moved, 'setfacl -x u:\(grant.user) FILE' removes the entry."
  }

  /// Returns sentences about the access that the user still has after the grant has ended.
  func remaining(_ standing: StandingGrant) -> [String] {
    guard let remaining = standing.remaining else { return [] }
    guard !remaining.permissions.isEmpty else {
      return ["It is unknown whether \(user) can still open it."]
    }
    let sources = remaining.sources.map(text).joined(separator: ", and ")
    return ["\(user) may still \(Self.access(remaining.permissions, kind)) it: \(sources)."]
  }

  private func text(_ source: RemainingAccess.Source) -> String {
    switch source {
    case .grant(let grant): "grant \(grant.id) by user \(grant.giver) gives access"
    case .entry: "another program has added an entry to the access list"
    case .session: "the user has the active session"
    case .owner: "the user owns it"
    case .group: "a group of the user has access"
    case .others: "everyone has access"
    case .privilege: "the user has a capability"
    case .unknown: "the reason is unknown"
    }
  }

  var has: String { "\(user) may \(access) \(place) already" }
}
