/// The elements of a JSON list, while it is being written.
struct UnkeyedJSONWriter: UnkeyedEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey]

  var count: Int {
    if case .array(let elements) = node.content { elements.count } else { 0 }
  }

  private func writer() -> JSONWriter {
    JSONWriter(node: node.element(), codingPath: codingPath + [JSONKey(intValue: count)])
  }

  func encodeNil() { writer().encodeNil() }
  func encode(_ value: Bool) { writer().encode(value) }
  func encode(_ value: String) { writer().encode(value) }
  func encode(_ value: Double) throws { try writer().encode(value) }
  func encode(_ value: Float) throws { try writer().encode(value) }
  func encode(_ value: Int) { writer().encode(value) }
  func encode(_ value: Int8) { writer().encode(value) }
  func encode(_ value: Int16) { writer().encode(value) }
  func encode(_ value: Int32) { writer().encode(value) }
  func encode(_ value: Int64) { writer().encode(value) }
  func encode(_ value: UInt) { writer().encode(value) }
  func encode(_ value: UInt8) { writer().encode(value) }
  func encode(_ value: UInt16) { writer().encode(value) }
  func encode(_ value: UInt32) { writer().encode(value) }
  func encode(_ value: UInt64) { writer().encode(value) }
  func encode<T: Encodable>(_ value: T) throws { try value.encode(to: writer()) }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    writer().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { writer().unkeyedContainer() }
  func superEncoder() -> any Encoder { writer() }
}
