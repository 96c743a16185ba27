/// The rules of several files, in the order in which udevd applies them.
public struct UdevRuleSet: Hashable, Sendable {
  /// The files.
  public let files: [UdevRuleFile]

  /// Creates a set of rules from files in their order.
  public init(_ files: [UdevRuleFile]) {
    self.files = files
  }

  /// Predicts how udevd handles an event.
  ///
  /// No program is run. A result that depends on a program, or on a fact that was not observed, is
  /// undetermined.
  public func evaluate(_ event: UdevRuleEvent, _ environment: UdevRuleEnvironment) -> UdevRuleReport
  {
    evaluate(event, environment, isBrief: false)
  }

  /// Predicts how udevd handles an event; a brief report contains only the outcomes of undetermined
  /// lines.
  package func evaluate(
    _ event: UdevRuleEvent, _ environment: UdevRuleEnvironment, isBrief: Bool
  ) -> UdevRuleReport {
    var run = UdevRuleRun(event, environment, isBrief: isBrief)
    for file in files { run.apply(file) }
    return run.finish()
  }
}
