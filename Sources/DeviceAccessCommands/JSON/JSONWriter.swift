/// Encodes a value as JSON text, without Foundation.
///
/// Members keep the order in which the type writes them, so that output is stable and reads in
/// a sensible order.
struct JSONWriter: Encoder {
  let node: JSONNode
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// How the text is laid out.
  enum Layout {
    /// One line without spaces.
    case compact
    /// A member a line, for files that people read.
    case indented
  }

  /// Encodes a value; the text has no line end.
  static func encode(_ value: some Encodable, layout: Layout = .compact) throws -> String {
    let node = JSONNode()
    try value.encode(to: JSONWriter(node: node, codingPath: []))
    var text = ""
    node.write(to: &text, indentation: layout == .indented ? 0 : nil)
    return text
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = node.content {} else { node.content = .object([]) }
    return KeyedEncodingContainer(KeyedJSONWriter(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = node.content {} else { node.content = .array([]) }
    return UnkeyedJSONWriter(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    self
  }
}

extension JSONWriter: SingleValueEncodingContainer {
  func encodeNil() { node.content = .text("null") }
  func encode(_ value: Bool) { node.content = .text(value ? "true" : "false") }
  func encode(_ value: String) { node.content = .text(JSONNode.quoted(value)) }

  func encode(_ value: Double) throws {
    guard value.isFinite else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: "not a finite number"))
    }
    node.content = .text("\(value)")
  }

  func encode(_ value: Float) throws { try encode(Double(value)) }
  func encode(_ value: Int) { number(value) }
  func encode(_ value: Int8) { number(value) }
  func encode(_ value: Int16) { number(value) }
  func encode(_ value: Int32) { number(value) }
  func encode(_ value: Int64) { number(value) }
  func encode(_ value: UInt) { number(value) }
  func encode(_ value: UInt8) { number(value) }
  func encode(_ value: UInt16) { number(value) }
  func encode(_ value: UInt32) { number(value) }
  func encode(_ value: UInt64) { number(value) }
  func encode<T: Encodable>(_ value: T) throws { try value.encode(to: self) }

  private func number(_ value: some FixedWidthInteger) {
    node.content = .text(String(value))
  }
}
