/// Decodes a value from JSON text, without Foundation.
///
/// Errors are `JSONSyntaxError` for the text, and whatever the type throws for its meaning.
struct JSONReader: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Decodes a whole text.
  static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
    try T(from: JSONReader(value: JSONParser.parse(bytes), codingPath: []))
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return KeyedDecodingContainer(KeyedJSONReader(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch("a list") }
    return UnkeyedJSONReader(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    self
  }

  /// The error for a value of another type than was expected.
  func mismatch(_ expected: String) -> DecodingError {
    .typeMismatch(
      JSONValue.self,
      .init(
        codingPath: codingPath,
        debugDescription: "expected \(expected) and found \(value.typeName)"))
  }
}

extension JSONReader: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let bool) = value else { throw mismatch("true or false") }
    return bool
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let string) = value else { throw mismatch("a string") }
    return string
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    case .double(let number): return number
    default: throw mismatch("a number")
    }
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
    let number: T? =
      switch value {
      case .integer(let number): T(exactly: number)
      case .unsigned(let number): T(exactly: number)
      default: nil
      }
    guard let number else { throw mismatch("an integer from \(T.min) to \(T.max)") }
    return number
  }
}
