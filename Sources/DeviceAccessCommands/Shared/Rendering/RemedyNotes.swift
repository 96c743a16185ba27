internal import AccessModel
internal import DevicePermissions

/// What is said of a change beside what it does, one sentence each.
enum RemedyNotes {
  static func text(assumes: String?, excess: String?) -> [String] {
    [
      assumes.map { "This works only if \($0)" },
      excess.map { "This also grants: \($0)" },
    ].compactMap(\.self)
  }
}

extension Remedy {
  /// What has to hold, what else it grants and takes away, and when and how long it works.
  var notes: [String] {
    RemedyNotes.text(assumes: assumes, excess: excess)
      + [
        loss.map { "It takes away: \($0)" }, takesEffect.map { "It takes effect \($0)" },
        lasts.map { "It lasts \($0)" },
      ].compactMap(\.self)
  }
}

extension SettingsLink {
  /// What has to hold, and what else it grants.
  var notes: [String] { RemedyNotes.text(assumes: assumes, excess: excess) }
}
