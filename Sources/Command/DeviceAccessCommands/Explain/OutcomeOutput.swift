internal import AccessModel

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
