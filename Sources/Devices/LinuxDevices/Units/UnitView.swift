internal import AccessModel

/// The unit behind a subject.
struct UnitView: Sendable {
  var name: UnitName
  var settings: UnitSettings
  /// The owner of the objects that systemd creates before it starts the program.
  var owner: UnitOwner?
  /// A Boolean value that indicates whether the subject is a running process, not the program at
  /// its start.
  var isRunning = false
  /// A Boolean value that indicates whether the observed paths are the machine's.
  ///
  /// If so, the settings determine what the unit sees at these paths.
  var needsOverlay = true
}
