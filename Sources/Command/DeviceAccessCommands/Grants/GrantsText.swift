internal import AccessModel
internal import DevicePermissions

/// The output of `devaccess grants`: one line per grant.
struct GrantsText {
  let standing: [StandingGrant]
  let style: Style

  var text: String {
    guard !standing.isEmpty else { return "no grants\n" }
    var columns = Columns()
    columns.add(["ID", "USER", "ACCESS", "UNTIL", "BY", "PATH"], tone: .heading)
    for one in standing {
      let grant = one.grant
      columns.add([
        (grant.id, nil),
        (
          StandingGrantText.user(
            grant.userName.map { style.safe($0, limit: 32) } ?? String(grant.user),
            now: one.currentName, style), nil
        ),
        (grant.permissions.letters, nil),
        (until(one), one.isOver ? .bad : nil), (String(grant.giver), nil),
        (style.safe(one.path, limit: 4096) + state(of: one), one.isLost ? .bad : nil),
      ])
    }
    return columns.lines(style: style).joined(separator: "\n") + "\n"
  }

  /// Returns a note about a grant that has no effect or may end early, to print after its path.
  private func state(of one: StandingGrant) -> String {
    if one.isLost { return " \(style.dash) without effect: the access list was changed" }
    if one.isGone { return " \(style.dash) not found" }
    return one.survivesReplug == false
      ? " \(style.dash) also ends at an event of the device, such as a replug" : ""
  }

  private func until(_ one: StandingGrant) -> String {
    guard let end = one.grant.end else { return "permanent" }
    return one.isOver ? "overdue" : Timestamp(seconds: end).localText()
  }
}
