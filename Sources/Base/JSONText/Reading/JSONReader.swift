/// Decodes a value from JSON text, without Foundation.
///
/// If the text is not valid JSON, decoding throws `JSONSyntaxError`. If it does not match the type,
/// decoding throws the errors of the type, such as `DecodingError`.
package struct JSONReader: Decoder {
  let tape: JSONTape
  /// The index of the value's token.
  let index: Int

  package var codingPath: [any CodingKey] { tape.path(to: index) }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes a value from a whole text.
  package static func decode<T: Decodable>(
    _ type: T.Type, from bytes: [UInt8], options: JSONOptions = JSONOptions()
  ) throws -> T {
    try T(from: JSONReader(tape: JSONParser.parse(bytes, options: options), index: JSONTape.root))
  }

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard tape.tokens[index].kind == .object else { throw mismatch("an object") }
    return KeyedDecodingContainer(KeyedJSONReader(tape: tape, object: index))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard tape.tokens[index].kind == .array else { throw mismatch("a list") }
    return UnkeyedJSONReader(tape: tape, array: index)
  }

  package func singleValueContainer() throws -> any SingleValueDecodingContainer {
    self
  }

  /// Returns the error for a value that does not have the expected type.
  func mismatch(_ expected: String) -> DecodingError {
    .typeMismatch(
      JSONTape.self,
      .init(
        codingPath: codingPath,
        debugDescription: "expected \(expected), found \(tape.typeName(index))"))
  }
}

extension JSONReader: SingleValueDecodingContainer {
  package func decodeNil() -> Bool { tape.tokens[index].kind == .null }

  package func decode(_ type: Bool.Type) throws -> Bool {
    switch tape.tokens[index].kind {
    case .yes: return true
    case .no: return false
    default: throw mismatch("true or false")
    }
  }

  package func decode(_ type: String.Type) throws -> String {
    guard let string = tape.string(index) else { throw mismatch("a string") }
    return string
  }

  package func decode(_ type: Double.Type) throws -> Double { try number() }
  package func decode(_ type: Float.Type) throws -> Float { try number() }
  package func decode(_ type: Int.Type) throws -> Int { try integer() }
  package func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  package func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  package func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  package func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  package func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  package func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  package func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  package func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  package func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  package func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  package func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

  package func decode<T: Decodable>(_ type: T.Type) throws -> T {
    do {
      return try T(from: self)
    } catch DecodingError.dataCorrupted(let context)
      where T.self is any RawRepresentable.Type
      && context.debugDescription.hasPrefix("Cannot initialize ")
    {
      // The standard library's message names a Swift type, which does not help the author of the
      // text.
      guard let word = tape.string(index) else { throw DecodingError.dataCorrupted(context) }
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: context.codingPath,
          debugDescription: "unknown word \(word.prefix(64))"))
    }
  }

  private func integer<T: FixedWidthInteger>() throws -> T {
    guard let number: T = tape.integer(index) else {
      throw mismatch("an integer from \(T.min) to \(T.max)")
    }
    return number
  }

  private func number<T: BinaryFloatingPoint & LosslessStringConvertible>() throws -> T {
    guard let number: T = tape.number(index) else { throw mismatch("a number") }
    return number
  }
}
