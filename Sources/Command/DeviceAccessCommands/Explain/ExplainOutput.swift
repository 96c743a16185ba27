internal import AccessModel
internal import DevicePermissions

/// The JSON object of `devaccess explain`, which extends the object of `devaccess check`.
struct ExplainOutput: Encodable {
  /// A device of the requested kind.
  struct Candidate: Encodable {
    let candidate: Explanation.Candidate

    private enum CodingKeys: String, CodingKey {
      case path, answer, device, decision, occupation
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(candidate.path, forKey: .path)
      try container.encode(candidate.answer, forKey: .answer)
      try container.encodeIfPresent(candidate.device.map(DeviceOutput.init), forKey: .device)
      try container.encode(DecisionOutput(candidate.decision), forKey: .decision)
      try container.encodeIfPresent(candidate.occupation, forKey: .occupation)
    }
  }

  let answer: AnsweredFacts
  let engine: ContainerEngine?

  private enum CodingKeys: String, CodingKey {
    case device, decision, remedies, lookups, note, evidence, unobserved, candidates, users, groups,
      container
    case furtherCauses = "further_causes"
  }

  func encode(to encoder: any Encoder) throws {
    try AnswerOutput(answer, command: .explain).encode(to: encoder)
    let explanation = answer.explanation
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(explanation.furtherCauses.map(CauseOutput.init), forKey: .furtherCauses)
    try container.encode(explanation.remedies.map(RemedyOutput.init), forKey: .remedies)
    try container.encode(explanation.lookups.map(LookupOutput.init), forKey: .lookups)
    try container.encodeIfPresent(explanation.note, forKey: .note)
    try container.encode(explanation.evidence, forKey: .evidence)
    try container.encode(explanation.unobserved, forKey: .unobserved)
    try container.encodeIfPresent(explanation.device.map(DeviceOutput.init), forKey: .device)
    try container.encode(DecisionOutput(explanation.decision), forKey: .decision)
    try container.encode(explanation.candidates.map(Candidate.init), forKey: .candidates)
    let recipe = engine.flatMap {
      answer.facts.recipe(for: $0, at: explanation.path, wanted: explanation.wanted)
    }
    try container.encodeIfPresent(recipe.map(RecipeOutput.init), forKey: .container)
    let account = answer.facts.account
    try container.encode(NumberedNames(account.userNames), forKey: .users)
    try container.encode(NumberedNames(account.groupNames), forKey: .groups)
  }
}
