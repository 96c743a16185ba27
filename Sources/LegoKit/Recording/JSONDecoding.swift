/// Makes a value of JSON.
enum JSONDecoding {
  static func decode<T: Decodable>(_ type: T.Type, from value: JSONValue) throws -> T {
    try JSONSingleDecoder(codingPath: [], value: value).decode(type)
  }
}

/// A place in an array.
struct JSONIndex: CodingKey {
  let intValue: Int?
  var stringValue: String { "\(intValue ?? 0)" }

  init(_ index: Int) { intValue = index }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { self.init(intValue) }
}

/// Decodes one value, whatever it is.
struct JSONDecoder: Decoder {
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  let value: JSONValue

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: String].self) }
    return KeyedDecodingContainer(
      JSONKeyedDecoder(
        codingPath: codingPath, members: Dictionary(members, uniquingKeysWith: { $1 })))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([String].self) }
    return JSONUnkeyedDecoder(codingPath: codingPath, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    JSONSingleDecoder(codingPath: codingPath, value: value)
  }

  func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "found \(value.text)"))
  }
}

/// Decodes one value.
struct JSONSingleDecoder: SingleValueDecodingContainer {
  let codingPath: [any CodingKey]
  let value: JSONValue

  private var decoder: JSONDecoder { JSONDecoder(codingPath: codingPath, value: value) }

  func decodeNil() -> Bool { value == .null }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    switch (type, value) {
    case (is Bool.Type, .bool(let value)): if let value = value as? T { return value }
    case (is String.Type, .string(let value)): if let value = value as? T { return value }
    case (let type as any FixedWidthInteger.Type, .number(let text)):
      if let value = integer(type, text) as? T { return value }
    case (is Double.Type, .number(let text)), (is Double.Type, .string(let text)):
      if let value = Double(text) as? T { return value }
    case (is Float.Type, .number(let text)), (is Float.Type, .string(let text)):
      if let value = Float(text) as? T { return value }
    default:
      if !(type is Bool.Type || type is String.Type || type is any FixedWidthInteger.Type) {
        return try T(from: decoder)
      }
    }
    throw decoder.mismatch(type)
  }

  private func integer<I: FixedWidthInteger>(_ type: I.Type, _ text: String) -> Any? {
    I(text).map { $0 as Any }
  }
}

/// Decodes the members of an object.
struct JSONKeyedDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let codingPath: [any CodingKey]
  let members: [String: JSONValue]

  var allKeys: [Key] { members.keys.sorted().compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  private func decoder(_ key: any CodingKey) throws -> JSONDecoder {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "it is missing"))
    }
    return JSONDecoder(codingPath: codingPath + [key], value: value)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .null }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder(key).singleValueContainer().decode(type)
  }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  {
    try decoder(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder {
    JSONDecoder(codingPath: codingPath, value: members["super"] ?? .null)
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// Decodes the elements of an array.
struct JSONUnkeyedDecoder: UnkeyedDecodingContainer {
  let codingPath: [any CodingKey]
  let elements: [JSONValue]
  private(set) var currentIndex = 0

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(codingPath: [any CodingKey], elements: [JSONValue]) {
    self.codingPath = codingPath
    self.elements = elements
  }

  private mutating func next() throws -> JSONDecoder {
    let path = codingPath + [JSONIndex(currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self, .init(codingPath: path, debugDescription: "the array ends before"))
    }
    defer { currentIndex += 1 }
    return JSONDecoder(codingPath: path, value: elements[currentIndex])
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next().singleValueContainer().decode(type)
  }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
    -> KeyedDecodingContainer<Nested>
  {
    try next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { try next() }
}
