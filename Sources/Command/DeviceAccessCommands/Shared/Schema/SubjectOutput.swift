internal import AccessModel

/// The subject of an answer as JSON: its origin and its credentials.
struct SubjectOutput: Encodable {
  let facts: AccessFacts

  init(_ facts: AccessFacts) {
    self.facts = facts
  }

  private enum CodingKeys: String, CodingKey {
    case origin, name, pid, source, variations, uid, gid, groups, effective
    case isHypothetical = "hypothetical"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let origin = facts.origin ?? SubjectOrigin(.ownProcess)
    try container.encode(origin.kind, forKey: .origin)
    try container.encodeIfPresent(origin.name ?? facts.account.user, forKey: .name)
    try container.encodeIfPresent(origin.pid, forKey: .pid)
    try container.encodeIfPresent(origin.source, forKey: .source)
    try container.encode(origin.isHypothetical, forKey: .isHypothetical)
    try container.encode(origin.variations, forKey: .variations)
    let subject = facts.access.subject
    if subject.unobserved.isDisjoint(with: [.ids, .dynamicIDs]) {
      try container.encode(subject.fsuid, forKey: .uid)
      try container.encode(subject.fsgid, forKey: .gid)
    }
    if !subject.unobserved.contains(.groups) {
      try container.encode(subject.groups, forKey: .groups)
    }
    if !subject.unobserved.contains(.capabilities) {
      try container.encode(subject.effective, forKey: .effective)
    }
  }
}
