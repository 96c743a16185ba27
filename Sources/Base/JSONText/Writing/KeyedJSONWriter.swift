/// The members of a JSON object that is being written.
struct KeyedJSONWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: JSONWriter

  var codingPath: [any CodingKey] { writer.codingPath }

  private func set(_ key: Key, _ text: String) {
    writer.node.set(key.stringValue, .text(text))
  }

  /// Adds a member, and returns the writer of its value.
  private func member(_ key: any CodingKey) -> JSONWriter {
    let node = JSONNode()
    writer.node.set(key.stringValue, node: node)
    return writer.part(key, node)
  }

  func encodeNil(forKey key: Key) { set(key, "null") }
  func encode(_ value: Bool, forKey key: Key) { set(key, value ? "true" : "false") }
  func encode(_ value: String, forKey key: Key) { set(key, JSONQuotes.quoted(value)) }
  func encode(_ value: Double, forKey key: Key) throws { set(key, try writer.text(value)) }
  func encode(_ value: Float, forKey key: Key) throws { set(key, try writer.text(value)) }
  func encode(_ value: Int, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: Int8, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: Int16, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: Int32, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: Int64, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: UInt, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: UInt8, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: UInt16, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: UInt32, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: UInt64, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: Int128, forKey key: Key) { set(key, String(value)) }
  func encode(_ value: UInt128, forKey key: Key) { set(key, String(value)) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try member(key).encodeDeeper(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    member(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { member(JSONKey(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}
