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
