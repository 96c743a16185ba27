/// Decodes a value from JSON text, without Foundation.
///
/// Errors are `JSONSyntaxError` for the text, and whatever the type throws for its meaning.
struct JSONReader: Decoder {
  let tape: JSONTape
  /// Which value of the text.
  let index: Int

  var codingPath: [any CodingKey] { tape.path(to: index) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes a whole text.
  static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
    try T(from: JSONReader(tape: JSONParser.parse(bytes), index: JSONTape.root))
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard tape.tokens[index].kind == .object else { throw mismatch("an object") }
    return KeyedDecodingContainer(KeyedJSONReader(tape: tape, object: index))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard tape.tokens[index].kind == .array else { throw mismatch("a list") }
    return UnkeyedJSONReader(tape: tape, array: index)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    self
  }

  /// The error for a value of another type than was expected.
  func mismatch(_ expected: String) -> DecodingError {
    .typeMismatch(
      JSONTape.self,
      .init(
        codingPath: codingPath,
        debugDescription: "expected \(expected), found \(tape.typeName(index))"))
  }
}

extension JSONReader: SingleValueDecodingContainer {
  func decodeNil() -> Bool { tape.tokens[index].kind == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    switch tape.tokens[index].kind {
    case .yes: return true
    case .no: return false
    default: throw mismatch("true or false")
    }
  }

  func decode(_ type: String.Type) throws -> String {
    guard let string = tape.string(index) else { throw mismatch("a string") }
    return string
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let number = tape.double(index) else { throw mismatch("a number") }
    return number
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try T(from: self)
  }

  private func integer<T: FixedWidthInteger>() throws -> T {
    guard let number: T = tape.integer(index) else {
      throw mismatch("an integer from \(T.min) to \(T.max)")
    }
    return number
  }
}
