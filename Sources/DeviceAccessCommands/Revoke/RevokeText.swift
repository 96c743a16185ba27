internal import AccessModel
internal import DevicePermissions

/// What `devaccess revoke` prints.
struct RevokeText {
  let revoked: [StandingGrant]
  let isDry: Bool
  let style: Style

  var text: String {
    let lines = revoked.flatMap { standing in
      let text = StandingGrantText(
        grant: standing.grant, path: standing.path, kind: standing.kind, style: style)
      let lost = standing.isGone && standing.kind == nil ? [text.moved] : []
      guard isDry else { return ["Took back: \(text.may)"] + lost }
      return ["# Takes back: \(text.may)"] + standing.commands.map { style.command($0) }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
