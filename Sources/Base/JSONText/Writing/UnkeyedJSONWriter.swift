/// The elements of a JSON list that is being written.
struct UnkeyedJSONWriter: UnkeyedEncodingContainer {
  let writer: JSONWriter

  var codingPath: [any CodingKey] { writer.codingPath }
  var count: Int { writer.node.count }

  private func append(_ text: String) { writer.node.append(.text(text)) }

  /// Adds an element, and returns its writer.
  private func element() -> JSONWriter {
    let key = JSONKey(intValue: count)
    let node = JSONNode()
    writer.node.append(.node(node))
    return writer.part(key, node)
  }

  func encodeNil() { append("null") }
  func encode(_ value: Bool) { append(value ? "true" : "false") }
  func encode(_ value: String) { append(JSONQuotes.quoted(value)) }
  func encode(_ value: Double) throws { append(try writer.text(value)) }
  func encode(_ value: Float) throws { append(try writer.text(value)) }
  func encode(_ value: Int) { append(String(value)) }
  func encode(_ value: Int8) { append(String(value)) }
  func encode(_ value: Int16) { append(String(value)) }
  func encode(_ value: Int32) { append(String(value)) }
  func encode(_ value: Int64) { append(String(value)) }
  func encode(_ value: UInt) { append(String(value)) }
  func encode(_ value: UInt8) { append(String(value)) }
  func encode(_ value: UInt16) { append(String(value)) }
  func encode(_ value: UInt32) { append(String(value)) }
  func encode(_ value: UInt64) { append(String(value)) }
  func encode(_ value: Int128) { append(String(value)) }
  func encode(_ value: UInt128) { append(String(value)) }
  func encode<T: Encodable>(_ value: T) throws { try element().encodeDeeper(value) }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
  func superEncoder() -> any Encoder { element() }
}
