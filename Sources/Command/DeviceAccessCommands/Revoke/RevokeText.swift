internal import AccessModel
internal import DevicePermissions

/// The output of `devaccess revoke`.
struct RevokeText {
  let revoked: [StandingGrant]
  let isDry: Bool
  let style: Style

  var text: String {
    guard !revoked.isEmpty else { return "No grant is overdue\n" }
    return revoked.flatMap(lines).joined(separator: "\n") + "\n"
  }

  private func lines(_ standing: StandingGrant) -> [String] {
    let text = StandingGrantText(standing, style)
    // The user had already lost the access before this command ran.
    let lost = standing.isLost ? [text.lost] : []
    guard isDry else {
      let moved = standing.isGone && standing.kind == nil ? [text.moved] : []
      return ["\(verb(standing)): \(text.may)"] + lost + text.remaining(standing) + moved
    }
    let verb = standing.isLost ? "Already without effect" : "Revokes"
    return ["# \(verb): \(text.may)"] + lost.map { "# \($0)" }
      + standing.commands.map { style.command($0) }
  }

  private func verb(_ standing: StandingGrant) -> String {
    if standing.isLost { return "Was already without effect" }
    if standing.isGone, standing.kind == nil { return "Not found" }
    // If some access remains, the word "Revoked" would be misleading.
    return standing.remaining == nil ? "Revoked" : "Ended"
  }
}
