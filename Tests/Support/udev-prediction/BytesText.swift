internal import UdevRules

/// Bytes as a JSON string, with one character per byte.
struct BytesText: Codable, Hashable {
  let text: UdevRuleText

  init(_ text: UdevRuleText) {
    self.text = text
  }

  init(from decoder: any Decoder) throws {
    let string = try decoder.singleValueContainer().decode(String.self)
    text = UdevRuleText(string.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Self.string(text))
  }

  static func string(_ text: UdevRuleText) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in text.bytes { scalars.append(Unicode.Scalar(byte)) }
    return String(scalars)
  }

  static func text(_ string: String) -> UdevRuleText {
    UdevRuleText(string.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }
}

extension [String: BytesText] {
  var texts: [UdevRuleText: UdevRuleText] {
    [UdevRuleText: UdevRuleText](
      uniqueKeysWithValues: map { (BytesText.text($0), $1.text) })
  }
}

extension [String: BytesText?] {
  var facts: [UdevRuleText: UdevRuleFact<UdevRuleText>] {
    [UdevRuleText: UdevRuleFact<UdevRuleText>](
      uniqueKeysWithValues: map { name, value in
        (BytesText.text(name), value.map { .present($0.text) } ?? .absent)
      })
  }
}

extension [String: UInt32?] {
  var numbers: [UdevRuleText: UdevRuleFact<UInt32>] {
    [UdevRuleText: UdevRuleFact<UInt32>](
      uniqueKeysWithValues: map { name, value in
        (BytesText.text(name), value.map { .present($0) } ?? .absent)
      })
  }
}
