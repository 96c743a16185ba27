internal import AccessModel

/// One command of `ExecStart=` (systemd.service(5)).
struct UnitCommand: Hashable, Sendable {
  /// How it is started, by its prefix.
  var start: ServiceFacts.Start
  /// The program: a path, or a name that is searched for.
  var program: String
}
