/// Converts facts to members of a JSON object and back, with `null` for an absent value.
enum RuleMembers {
  static func members<Value, Encoded>(
    _ facts: [UdevRuleText: UdevRuleFact<Value>], _ encoded: (Value) -> Encoded
  ) -> [String: Encoded?] {
    Dictionary(
      facts.map { ($0.key.exact, $0.value.value.map(encoded)) },
      uniquingKeysWith: { first, _ in first })
  }

  static func facts<Value, Encoded>(
    _ members: [String: Encoded?], _ decoded: (Encoded) -> Value
  ) -> [UdevRuleText: UdevRuleFact<Value>] {
    Dictionary(
      members.map {
        (UdevRuleText(exact: $0.key), $0.value.map { .present(decoded($0)) } ?? .absent)
      },
      uniquingKeysWith: { first, _ in first })
  }

  static func texts(_ values: [UdevRuleText: UdevRuleText]) -> [String: String] {
    Dictionary(
      values.map { ($0.key.exact, $0.value.exact) }, uniquingKeysWith: { first, _ in first })
  }

  static func values(_ texts: [String: String]) -> [UdevRuleText: UdevRuleText] {
    Dictionary(
      texts.map { (UdevRuleText(exact: $0.key), UdevRuleText(exact: $0.value)) },
      uniquingKeysWith: { first, _ in first })
  }
}
