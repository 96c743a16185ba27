internal import AccessModel
internal import DevicePermissions

/// The conditions and effects of a change, one sentence each.
enum RemedyNotes {
  static func text(assumes: String?, excess: String?) -> [String] {
    [
      assumes.map { "Assumes that \($0)" },
      excess.map { "Also grants: \($0)" },
    ].compactMap(\.self)
  }
}

extension Remedy {
  /// The assumptions, what else it grants and takes away, and when and how long it works.
  var notes: [String] {
    RemedyNotes.text(assumes: assumes, excess: excess)
      + [
        loss.map { "Takes away: \($0)" }, takesEffect.map { "Takes effect \($0)" },
        lasts.map { "Lasts \($0)" },
      ].compactMap(\.self)
  }
}

extension SettingsLink {
  /// The assumptions, and what else it grants.
  var notes: [String] { RemedyNotes.text(assumes: assumes, excess: excess) }
}
