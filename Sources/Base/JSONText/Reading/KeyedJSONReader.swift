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
