/// What could help where the device list of a control group refuses.
extension RemedyPlanner {
  /// Letting the device pass where the list is made: by a service's unit, or by a container's
  /// engine; nothing where it is not known who makes it.
  func policyCandidates(_ step: AccessModel.Step, _ facts: AccessFacts) -> [Step] {
    let writer = RemedyWriter(judgement)
    let remedies: [Remedy]
    if facts.confinement.serviceUnit != nil {
      remedies = writer.policyRemedies(step.path) ?? writer.unitDeviceRemedies(step.path)
    } else {
      remedies = writer.cgroupRemedies(step.path)
    }
    return remedies.compactMap { remedy in
      guard let first = remedy.steps.first, remedy.steps.count == 1, !first.changes.isEmpty else {
        return nil
      }
      return Step(
        title: remedy.title, step: first, scope: remedy.scope, takesEffect: remedy.takesEffect,
        lasts: remedy.lasts, assumes: remedy.assumes)
    }
  }
}
