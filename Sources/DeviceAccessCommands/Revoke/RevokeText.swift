internal import AccessModel
internal import DevicePermissions

/// What `devaccess revoke` prints.
struct RevokeText {
  let revoked: [StandingGrant]
  let isDry: Bool
  let style: Style

  var text: String {
    guard !revoked.isEmpty else { return "No grant is overdue\n" }
    let lines = revoked.flatMap { standing in
      let text = StandingGrantText(
        grant: standing.grant, path: standing.path, kind: standing.kind,
        currentName: standing.currentName, style: style)
      let moved = standing.isGone && standing.kind == nil ? [text.moved] : []
      // The user has not had it until now.
      let lost = standing.isLost ? [text.lost] : []
      guard isDry else {
        let verb = standing.isLost ? "Had no effect any more" : "Took back"
        return ["\(verb): \(text.may)"] + lost + moved
      }
      let verb = standing.isLost ? "Has no effect any more" : "Takes back"
      return ["# \(verb): \(text.may)"] + lost.map { "# \($0)" }
        + standing.commands.map { style.command($0) }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
