/// Decodes a value from JSON text, without Foundation.
///
/// If the text is not valid JSON, decoding throws `JSONSyntaxError`. If the text does not match the
/// type, decoding throws whatever the type's `init(from:)` throws, usually a `DecodingError`.
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

/// The members of a JSON object that is being decoded.
struct KeyedJSONReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// The number of members above which they are found by hashing.
  private static var manyMembers: Int { 32 }

  let tape: JSONTape
  let object: Int
  /// The indices of the values by their keys, if there are many.
  private let members: [String: Int]?

  init(tape: JSONTape, object: Int) {
    self.tape = tape
    self.object = object
    guard tape.tokens[object].count > Self.manyMembers else {
      members = nil
      return
    }
    var members: [String: Int] = [:]
    for key in tape.keys(of: object) {
      if let name = tape.string(key) { members[name] = key + 1 }
    }
    self.members = members
  }

  var codingPath: [any CodingKey] { tape.path(to: object) }

  var allKeys: [Key] {
    tape.keys(of: object).compactMap { tape.string($0).flatMap(Key.init(stringValue:)) }
  }

  private func find(_ key: any CodingKey) -> Int? {
    if let members { return members[key.stringValue] }
    return tape.member(key.stringValue, of: object)
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  private func reader(_ key: any CodingKey) throws -> JSONReader {
    guard let index = find(key) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "it is missing"))
    }
    return JSONReader(tape: tape, index: index)
  }

  /// Returns the reader of a member that exists and is not null.
  private func readerIfPresent(_ key: Key) -> JSONReader? {
    guard let index = find(key), tape.tokens[index].kind != .null else { return nil }
    return JSONReader(tape: tape, index: index)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try reader(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try reader(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try reader(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try reader(key).decode(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try reader(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try reader(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try reader(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try reader(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try reader(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try reader(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try reader(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try reader(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try reader(key).decode(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try reader(key).decode(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try reader(key).decode(type)
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try reader(key).decode(type)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try reader(key).decode(type)
  }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try reader(key).decode(type)
  }

  // The default implementations search for a member three times.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try readerIfPresent(key)?.decode(type)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try readerIfPresent(key)?.decode(type)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try readerIfPresent(key)?.decode(type)
  }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try readerIfPresent(key)?.decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try reader(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try reader(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try reader(JSONKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try reader(key) }
}

/// The elements of a JSON list that is being decoded.
struct UnkeyedJSONReader: UnkeyedDecodingContainer {
  let tape: JSONTape
  let array: Int
  private let length: Int
  private(set) var currentIndex = 0
  /// The index of the next element's token.
  private var token: Int

  init(tape: JSONTape, array: Int) {
    self.tape = tape
    self.array = array
    length = Int(tape.tokens[array].count)
    token = array + 1
  }

  var codingPath: [any CodingKey] { tape.path(to: array) }
  var count: Int? { length }
  var isAtEnd: Bool { currentIndex >= length }

  /// Returns the reader of the next element, without advancing.
  private func reader() throws -> JSONReader {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONTape.self,
        .init(
          codingPath: codingPath + [JSONKey(intValue: currentIndex)],
          debugDescription: "the list is too short"))
    }
    return JSONReader(tape: tape, index: token)
  }

  private mutating func advance() {
    token = tape.next(after: token)
    currentIndex += 1
  }

  private mutating func next<T>(_ body: (JSONReader) throws -> T) throws -> T {
    let result = try body(reader())
    advance()
    return result
  }

  mutating func decodeNil() throws -> Bool {
    guard try reader().decodeNil() else { return false }
    advance()
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decode(type) } }
  mutating func decode(_ type: String.Type) throws -> String { try next { try $0.decode(type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.decode(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try next { try $0.decode(type) }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next { try $0.decode(type) }
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next { $0 }
  }
}

/// A description of an error that prevented decoding a text.
package struct JSONProblem: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of keys shown for a path.
  private static let shownKeys = 16

  /// The description as one clause, which may quote untrusted text.
  package let description: String

  /// Creates the description of any error of ``JSONReader/decode(_:from:options:)``.
  package init(_ error: any Error) {
    guard let error = error as? DecodingError else {
      description = "\(error)"
      return
    }
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      description = Self.clause(context.debugDescription, at: context.codingPath)
    case .keyNotFound(let key, let context):
      description = Self.clause(context.debugDescription, at: context.codingPath + [key])
    @unknown default: description = "unknown form"
    }
  }

  private static func clause(_ problem: String, at path: [any CodingKey]) -> String {
    let place = path.prefix(shownKeys).reduce(into: "") { place, key in
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += (place.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return place.isEmpty ? problem : "\(place): \(problem)"
  }
}

/// A key by name or by index.
///
/// It is used for list elements, for superclasses, and for names that no type declares.
package struct JSONKey: CodingKey, Hashable {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  package init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
