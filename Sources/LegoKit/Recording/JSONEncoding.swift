/// Turns a value into JSON.
enum JSONEncoding {
  static func encode(_ value: some Encodable) throws -> JSONValue {
    let encoder = JSONEncoder(path: [])
    try value.encode(to: encoder)
    return encoder.node.value
  }
}

/// A place that a value is encoded into.
final class JSONNode {
  enum Content {
    case single(JSONValue)
    case array([JSONNode])
    case object([(String, JSONNode)])
  }

  var content = Content.single(.object([]))

  var value: JSONValue {
    switch content {
    case .single(let value): value
    case .array(let nodes): .array(nodes.map(\.value))
    case .object(let members): .object(members.map { ($0, $1.value) })
    }
  }

  var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }

  func append() -> JSONNode {
    let node = JSONNode()
    if case .array(let nodes) = content { content = .array(nodes + [node]) }
    return node
  }

  func member(_ name: String) -> JSONNode {
    let node = JSONNode()
    if case .object(let members) = content {
      content = .object(members.filter { $0.0 != name } + [(name, node)])
    }
    return node
  }
}

/// Encodes into one place.
struct JSONEncoder: Encoder {
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  let node: JSONNode

  init(path: [any CodingKey], node: JSONNode = JSONNode()) {
    codingPath = path
    self.node = node
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = node.content {} else { node.content = .object([]) }
    return KeyedEncodingContainer(JSONKeyedEncoder(codingPath: codingPath, node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = node.content {} else { node.content = .array([]) }
    return JSONUnkeyedEncoder(codingPath: codingPath, node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONSingleEncoder(codingPath: codingPath, node: node)
  }
}

/// Encodes one value.
struct JSONSingleEncoder: SingleValueEncodingContainer {
  let codingPath: [any CodingKey]
  let node: JSONNode

  func encodeNil() { node.content = .single(.null) }

  func encode<T: Encodable>(_ value: T) throws {
    switch value {
    case let value as Bool: node.content = .single(.bool(value))
    case let value as String: node.content = .single(.string(value))
    case let value as any BinaryInteger & Encodable: node.content = .single(.number("\(value)"))
    case let value as any BinaryFloatingPoint & Encodable:
      // JSON has no infinity, so such a value is written as a string.
      let text = "\(value)"
      node.content = .single(text.contains("n") ? .string(text) : .number(text))
    default: try value.encode(to: JSONEncoder(path: codingPath, node: node))
    }
  }
}

/// Encodes the members of an object.
struct JSONKeyedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let codingPath: [any CodingKey]
  let node: JSONNode

  private func single(_ key: any CodingKey) -> JSONSingleEncoder {
    JSONSingleEncoder(codingPath: codingPath + [key], node: node.member(key.stringValue))
  }

  func encodeNil(forKey key: Key) { single(key).encodeNil() }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try single(key).encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
    -> KeyedEncodingContainer<Nested>
  {
    superEncoder(forKey: key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(forKey: key).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { JSONEncoder(path: codingPath, node: node.member("super")) }
  func superEncoder(forKey key: Key) -> any Encoder {
    JSONEncoder(path: codingPath + [key], node: node.member(key.stringValue))
  }
}

/// Encodes the elements of an array.
struct JSONUnkeyedEncoder: UnkeyedEncodingContainer {
  let codingPath: [any CodingKey]
  let node: JSONNode
  var count: Int { node.count }

  func encodeNil() { JSONSingleEncoder(codingPath: codingPath, node: node.append()).encodeNil() }
  func encode<T: Encodable>(_ value: T) throws {
    try JSONSingleEncoder(codingPath: codingPath, node: node.append()).encode(value)
  }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type)
    -> KeyedEncodingContainer<Nested>
  {
    superEncoder().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }
  func superEncoder() -> any Encoder { JSONEncoder(path: codingPath, node: node.append()) }
}
