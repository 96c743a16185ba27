/// The JSON text of a value that is kept as text instead of being decoded.
package struct JSONFragment: Hashable, Sendable, Codable {
  /// The JSON text.
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

  /// Decodes the text as a value of the given type.
  package func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try JSONReader.decode(type, from: Array(text.utf8))
  }
}
