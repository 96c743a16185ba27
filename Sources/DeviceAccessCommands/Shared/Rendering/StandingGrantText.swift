internal import AccessModel
internal import DevicePermissions

/// One sentence about a grant, without its end.
struct StandingGrantText {
  let grant: AccessGrant
  let path: String
  let kind: String?
  /// What the user is called now, where it is another name.
  var currentName: String?
  let style: Style

  private var user: String {
    Self.user(
      grant.userName.map { style.safe($0, limit: 32) } ?? "user \(grant.user)", now: currentName,
      style)
  }

  /// The user who was given access, and who has it now.
  static func user(_ given: String, now currentName: String?, _ style: Style) -> String {
    currentName.map { "\(style.safe($0, limit: 32)) (given to \(given))" } ?? given
  }

  private var access: String {
    let type: FileType = kind == nil ? .directory : .characterDevice
    let words = grant.permissions.words(for: type)
    return words.count < 3
      ? words.joined(separator: " and ")
      : words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
  }

  private var place: String { style.safe(path, limit: 4096) }

  /// When it ends.
  var end: String {
    guard let end = grant.end else { return "until it is revoked" }
    return "until \(Timestamp(seconds: end).localText())"
  }

  var may: String { "\(user) may \(access) \(place) \(end)" }

  /// Why a grant had no effect any more.
  var lost: String {
    "Something else had changed the access list"
      + (kind == nil ? "." : ", such as an event of the device.")
  }

  /// What is left of a grant on a file that was not found.
  var moved: String {
    "It is no longer there. If it was moved, 'setfacl -x u:\(grant.user) FILE' removes the entry."
  }

  var has: String { "\(user) may \(access) \(place) already" }
}
