/// The closed vocabulary of causes. Raw values are stable and part of the JSON schema.
public enum CauseCode: String, Hashable, Sendable, Codable, CaseIterable {
  case nodeAbsent = "NODE_ABSENT"
}
