/// A value as its text has it, for what is to be kept and cannot be understood.
package struct JSONFragment: Hashable, Sendable, Codable {
  /// The text.
  package let text: String

  package init(from decoder: any Decoder) throws {
    guard let reader = decoder as? JSONReader else {
      throw DecodingError.typeMismatch(
        JSONFragment.self, .init(codingPath: decoder.codingPath, debugDescription: "not JSON"))
    }
    text = reader.tape.text(reader.index)
  }

  package func encode(to encoder: any Encoder) throws {
    guard let writer = encoder as? JSONWriter else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "not JSON"))
    }
    writer.node.become(text)
  }

  /// What the text means as a value of some type.
  package func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try JSONReader.decode(type, from: Array(text.utf8))
  }
}
