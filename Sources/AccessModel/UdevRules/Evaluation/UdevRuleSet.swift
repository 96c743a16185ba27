/// Rules of several files, in the order in which udevd applies them.
public struct UdevRuleSet: Hashable, Sendable {
  /// The files.
  public let files: [UdevRuleFile]

  /// Takes files in their order.
  public init(_ files: [UdevRuleFile]) {
    self.files = files
  }

  /// Predicts what udevd makes of an event.
  ///
  /// No program is run. What depends on one, or on a fact that was not observed, is undetermined.
  public func evaluate(_ event: UdevRuleEvent, _ environment: UdevRuleEnvironment) -> UdevRuleReport
  {
    evaluate(event, environment, isBrief: false)
  }

  /// Predicts what udevd makes of an event; a brief report names only undetermined lines.
  func evaluate(
    _ event: UdevRuleEvent, _ environment: UdevRuleEnvironment, isBrief: Bool
  ) -> UdevRuleReport {
    var run = UdevRuleRun(event, environment, isBrief: isBrief)
    for file in files { run.apply(file) }
    return run.finish()
  }
}
