/// Fixes for a refusal by the device list of a cgroup.
extension RemedyPlanner {
  /// Returns fixes in the unit of a service or in the options of a container, where the list is
  /// set.
  ///
  /// The result is empty if it is unknown what sets the list.
  func policyCandidates(_ step: AccessModel.Step, _ facts: AccessFacts) -> [Step] {
    let remedies: [Remedy]
    let settings = UnitSettings(assessment: assessment, names: names)
    let hasUnit = facts.confinement.serviceUnit != nil && !facts.confinement.takesRunOptions
    if hasUnit || !settings.refusingPolicies.isEmpty {
      remedies = settings.policyRemedies(step.path) ?? settings.deviceRemedies(step.path)
    } else {
      let start = ContainerStart(assessment: assessment, names: names)
      remedies = start.policyRemedies(step.path)
    }
    return remedies.compactMap { remedy in
      guard let first = remedy.steps.first, remedy.steps.count == 1, !first.changes.isEmpty else {
        return nil
      }
      return Step(
        title: remedy.title, step: first, scope: remedy.scope, takesEffect: remedy.takesEffect,
        end: remedy.end, assumes: remedy.assumes, caution: remedy.caution)
    }
  }
}
