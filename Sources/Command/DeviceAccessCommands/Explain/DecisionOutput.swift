internal import AccessModel

/// A decision as JSON.
struct DecisionOutput: Encodable {
  /// One step of the path lookup.
  struct Step: Encodable {
    let step: AccessModel.Step

    private enum CodingKeys: String, CodingKey {
      case action, path, target, name, node, mount, wanted, rule, note
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch step.action {
      case .search: try container.encode("search", forKey: .action)
      case .followLink(let target):
        try container.encode("follow_link", forKey: .action)
        try container.encode(target, forKey: .target)
      case .create(let name):
        try container.encode("create", forKey: .action)
        try container.encode(name, forKey: .name)
      case .final: try container.encode("final", forKey: .action)
      }
      try container.encode(step.path, forKey: .path)
      try container.encode(step.wanted.words(for: step.node?.type), forKey: .wanted)
      try OutcomeOutput(step.outcome).encode(to: encoder)
      try container.encodeIfPresent(step.rule, forKey: .rule)
      try container.encodeIfPresent(step.note, forKey: .note)
      try container.encodeIfPresent(step.mount, forKey: .mount)
      try container.encodeIfPresent(step.node.map(NodeOutput.init), forKey: .node)
    }
  }

  let decision: Decision

  init(_ decision: Decision) {
    self.decision = decision
  }

  private enum CodingKeys: String, CodingKey {
    case rule, at, entry, grounds, steps
    case allMatchingGroupsLack = "all_matching_groups_lack"
  }

  func encode(to encoder: any Encoder) throws {
    try OutcomeOutput(decision.outcome).encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(decision.rule, forKey: .rule)
    try container.encodeIfPresent(decision.at, forKey: .at)
    try container.encodeIfPresent(decision.entry, forKey: .entry)
    if decision.allMatchingGroupsLack {
      try container.encode(true, forKey: .allMatchingGroupsLack)
    }
    try container.encode(decision.grounds, forKey: .grounds)
    try container.encode(decision.steps.map(Step.init), forKey: .steps)
  }
}
