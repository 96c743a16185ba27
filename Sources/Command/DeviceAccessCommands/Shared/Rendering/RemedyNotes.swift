internal import AccessModel
internal import DevicePermissions

/// Describes the conditions and the effects of a fix, one sentence for each.
enum RemedyNotes {
  /// Returns the conditions, which are printed before the commands.
  static func conditions(assumes: String?, caution: String?) -> [String] {
    [
      assumes.map { sentence("This works only if \(listed($0))") },
      caution.map { sentence("Do this only if \(listed($0))") },
    ].compactMap(\.self)
  }

  /// Returns the additional access that the fix grants, which is printed after the commands.
  static func effects(excess: String?) -> [String] {
    [excess.map { sentence("This also gives \($0)") }].compactMap(\.self)
  }

  /// Separates more than two conditions with commas.
  private static func listed(_ clause: String) -> String {
    let conditions = clause.split(separator: " and if ")
    guard conditions.count > 2, let last = conditions.last else { return clause }
    return conditions.dropLast().joined(separator: ", if ") + ", and if " + last
  }

  /// Adds a full stop, unless the text ends with one.
  static func sentence(_ text: String) -> String {
    text.hasSuffix(".") ? text : text + "."
  }
}

extension Remedy {
  /// The conditions of the fix.
  var conditions: [String] { RemedyNotes.conditions(assumes: assumes, caution: caution) }

  /// A Boolean value that indicates whether the commands include the restart that the fix needs.
  private var restartsItself: Bool {
    commands.contains { command in
      command.hasPrefix("systemctl ") && command.contains(" restart ")
        && command.split(separator: " ").last.map { takesEffect == "when \($0) is restarted" }
          ?? false
    }
  }

  /// What else the fix grants or removes, when it takes effect, and how long it lasts.
  var effects: [String] {
    RemedyNotes.effects(excess: excess)
      + [
        loss.map { "This removes \($0)" },
        restartsItself ? nil : takesEffect.map { "Takes effect \($0)" },
        lasts.map { "Lasts \($0)" },
      ].compactMap(\.self).map(RemedyNotes.sentence)
  }
}

extension SettingsLink {
  /// The conditions of the command.
  var conditions: [String] { RemedyNotes.conditions(assumes: assumes, caution: caution) }

  /// The additional access that the command grants.
  var effects: [String] { RemedyNotes.effects(excess: excess) }
}
