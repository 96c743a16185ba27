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

/// An outcome as the members of a JSON object.
struct OutcomeOutput: Encodable {
  /// The keys of the members, which are encoded into the enclosing object.
  enum CodingKeys: String, CodingKey {
    case outcome, errno, reason
    case errorName = "error_name"
  }

  let outcome: Outcome

  init(_ outcome: Outcome) {
    self.outcome = outcome
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch outcome {
    case .granted:
      try container.encode("granted", forKey: .outcome)
    case .denied(let errno):
      try container.encode("denied", forKey: .outcome)
      try container.encode(errno, forKey: .errno)
      try container.encode(errno.name, forKey: .errorName)
    case .undecided(let reason):
      try container.encode("undecided", forKey: .outcome)
      try container.encode(reason, forKey: .reason)
    }
  }
}

/// A filesystem object on the path as JSON.
struct NodeOutput: Encodable {
  /// An entry of an access control list.
  struct Entry: Encodable {
    let tag: String
    let id: UInt32?
    let permissions: String
    /// The permissions that the mask leaves; without a mask, the same as `permissions`.
    let effective: String
  }

  let type: FileType
  /// At least four octal digits, as `chmod` accepts them.
  let mode: String
  let uid: UInt32
  let gid: UInt32
  let acl: [Entry]?
  let device: DeviceNumber?
  let target: String?
  let flags: [String]
  let unobserved: [String]

  init(_ node: Node) {
    type = node.type
    let octal = String(node.mode, radix: 8)
    mode = String(repeating: "0", count: max(0, 4 - octal.count)) + octal
    uid = node.uid
    gid = node.gid
    let mask = node.acl?.first { $0.tag == .mask }?.permissions
    acl = node.acl?.map { entry in
      let isMasked = mask != nil && entry.isMasked
      let effective = isMasked ? entry.permissions.intersection(mask ?? []) : entry.permissions
      return Entry(
        tag: entry.tag.rawValue, id: entry.id, permissions: entry.permissions.description,
        effective: effective.description)
    }
    device = node.rdev
    target = node.target
    flags = node.flags.map(\.rawValue).sorted()
    unobserved = node.unobserved.map(\.rawValue).sorted()
  }
}

/// A remedy as JSON.
struct RemedyOutput: Encodable {
  let remedy: Remedy

  private enum CodingKeys: String, CodingKey {
    case title, commands, options, actor, proven, assumes, caution, excess, loss, lasts
    case isInterim = "until_then"
    case end = "ended_by"
    case takesEffect = "takes_effect"
  }

  init(_ remedy: Remedy) {
    self.remedy = remedy
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(remedy.title, forKey: .title)
    try container.encode(remedy.commands, forKey: .commands)
    try container.encode(remedy.options, forKey: .options)
    try container.encode(remedy.actor, forKey: .actor)
    try container.encode(remedy.isProven, forKey: .proven)
    try container.encodeIfPresent(remedy.assumes, forKey: .assumes)
    try container.encodeIfPresent(remedy.caution, forKey: .caution)
    try container.encodeIfPresent(remedy.excess, forKey: .excess)
    try container.encodeIfPresent(remedy.loss, forKey: .loss)
    try container.encodeIfPresent(remedy.lasts, forKey: .lasts)
    try container.encodeIfPresent(remedy.end.code, forKey: .end)
    if remedy.isInterim { try container.encode(true, forKey: .isInterim) }
    try container.encodeIfPresent(remedy.takesEffect, forKey: .takesEffect)
  }
}

/// A set of commands that only inspect the system, as JSON.
struct LookupOutput: Encodable {
  let title: String
  let commands: [String]
  let isPrivileged: Bool

  private enum CodingKeys: String, CodingKey {
    case title, commands
    case isPrivileged = "privileged"
  }

  init(_ lookup: Lookup) {
    title = lookup.title
    commands = lookup.commands
    isPrivileged = lookup.isPrivileged
  }
}

/// The options that pass a device to a container or unit, as JSON.
struct RecipeOutput: Encodable {
  let engine: ContainerEngine
  let node: NodeOutput
  let lines: [String]
  let notes: [String]

  init(_ recipe: ContainerRecipe) {
    engine = recipe.engine
    node = NodeOutput(recipe.node)
    lines = recipe.lines
    notes = recipe.notes
  }
}
