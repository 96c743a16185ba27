extension CaseAnswer: Codable {
  private enum Keys: String, CodingKey {
    case id
    case granted
    case errno
    case undecided
    case rule
    case at
    case detail
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    id = try values.decode(Int.self, forKey: .id)
    at = try values.decodeIfPresent(String.self, forKey: .at)
    detail = try values.decodeIfPresent(Detail.self, forKey: .detail) ?? Detail()
    if try values.decodeIfPresent(Bool.self, forKey: .undecided) ?? false {
      outcome = .undecided(reason: try values.decode(String.self, forKey: .rule))
      return
    }
    rule = try values.decodeIfPresent(Rule.self, forKey: .rule)
    let errno = Errno(rawValue: try values.decode(Int32.self, forKey: .errno))
    let isGranted = try values.decode(Bool.self, forKey: .granted)
    outcome = isGranted ? .granted : .denied(errno: errno)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(id, forKey: .id)
    switch outcome {
    case .granted:
      try values.encode(true, forKey: .granted)
      try values.encode(0, forKey: .errno)
    case .denied(let errno):
      try values.encode(false, forKey: .granted)
      try values.encode(errno.rawValue, forKey: .errno)
    case .undecided(let reason):
      try values.encode(true, forKey: .undecided)
      try values.encode(reason, forKey: .rule)
    }
    if case .undecided = outcome {} else { try values.encodeIfPresent(rule, forKey: .rule) }
    try values.encodeIfPresent(at, forKey: .at)
    if detail != Detail() { try values.encode(detail, forKey: .detail) }
  }
}

extension CaseAnswer.Detail: Codable {
  private enum Keys: String, CodingKey {
    case entry
    case allMatchingGroupsLack = "all_matching_groups_lack"
    case wanted
    case grounds
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    entry = try values.decodeIfPresent(Int.self, forKey: .entry)
    allMatchingGroupsLack =
      try values.decodeIfPresent(Bool.self, forKey: .allMatchingGroupsLack) ?? false
    let letters = try values.decodeIfPresent(String.self, forKey: .wanted) ?? ""
    guard let wanted = Permissions(letters: letters) else {
      throw values.invalid(.wanted, "the letters of a mode are r, w and x")
    }
    self.wanted = wanted
    grounds = try values.decodeIfPresent([Rule].self, forKey: .grounds) ?? []
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encodeIfPresent(entry, forKey: .entry)
    if allMatchingGroupsLack { try values.encode(true, forKey: .allMatchingGroupsLack) }
    if !wanted.isEmpty { try values.encode(wanted.letters, forKey: .wanted) }
    if !grounds.isEmpty { try values.encode(grounds, forKey: .grounds) }
  }
}
