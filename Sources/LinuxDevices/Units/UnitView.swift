internal import AccessModel

/// The unit behind a subject.
struct UnitView: Sendable {
  var name: UnitName
  var settings: UnitSettings
  /// Whom systemd makes things for, before it starts the program.
  var owner: UnitOwner?
  /// Whether the subject is one of its running processes, and not the program at its start.
  var isRunning = false
  /// Whether the paths are the machine's, so that the settings say what the unit sees of them.
  var needsOverlay = true
}
