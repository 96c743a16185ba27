/// The members of a JSON object, while it is being written.
struct KeyedJSONWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  let codingPath: [any CodingKey]

  private func writer(_ key: any CodingKey) -> JSONWriter {
    JSONWriter(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) { writer(key).encodeNil() }
  func encode(_ value: Bool, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: String, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: Double, forKey key: Key) throws { try writer(key).encode(value) }
  func encode(_ value: Float, forKey key: Key) throws { try writer(key).encode(value) }
  func encode(_ value: Int, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: Int8, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: Int16, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: Int32, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: Int64, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: UInt, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: UInt8, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: UInt16, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: UInt32, forKey key: Key) { writer(key).encode(value) }
  func encode(_ value: UInt64, forKey key: Key) { writer(key).encode(value) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try value.encode(to: writer(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    writer(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    writer(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { writer(JSONKey(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { writer(key) }
}
