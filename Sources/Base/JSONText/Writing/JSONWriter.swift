/// Encodes a value as JSON text, without Foundation.
///
/// Members keep the order in which the type encodes them, so the output is stable. A value that is
/// nested more deeply than the options allow is an error.
package struct JSONWriter: Encoder {
  let node: JSONNode
  let path: JSONPath?
  let options: JSONOptions

  package var codingPath: [any CodingKey] { path?.keys ?? [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The layout of the text.
  package enum Layout: Sendable {
    /// One line without spaces.
    case compact
    /// One member per line, for files that people read.
    case indented
  }

  /// Returns a value as JSON text without a newline at the end.
  package static func encode(
    _ value: some Encodable, layout: Layout = .compact, options: JSONOptions = JSONOptions()
  ) throws -> String {
    let node = JSONNode()
    try value.encode(to: JSONWriter(node: node, path: nil, options: options))
    let printer = JSONPrinter(node, layout, limit: options.depth)
    guard !printer.isTooDeep else { throw tooDeep(value, []) }
    return printer.text
  }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(KeyedJSONWriter(writer: self))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return UnkeyedJSONWriter(writer: self)
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// Returns the writer of a nested value.
  func part(_ key: any CodingKey, _ node: JSONNode) -> JSONWriter {
    JSONWriter(node: node, path: JSONPath(path, key), options: options)
  }

  /// Encodes a nested value, and throws an error if it is nested too deeply, which limits the use
  /// of the stack.
  func encodeDeeper(_ value: some Encodable) throws {
    guard (path?.depth ?? 0) <= options.depth else { throw Self.tooDeep(value, codingPath) }
    try value.encode(to: self)
  }

  private static func tooDeep(_ value: Any, _ path: [any CodingKey]) -> EncodingError {
    .invalidValue(value, .init(codingPath: path, debugDescription: "nested too deeply"))
  }

  /// Returns the text of a number; for an infinity or NaN, a string if the options allow it.
  func text<T: BinaryFloatingPoint & LosslessStringConvertible>(_ value: T) throws -> String {
    if value.isFinite { return "\(value)" }
    guard options.allowsNonFiniteNumbers else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: "not a finite number"))
    }
    return "\"\(value)\""
  }
}

extension JSONWriter: SingleValueEncodingContainer {
  package func encodeNil() { node.become("null") }
  package func encode(_ value: Bool) { node.become(value ? "true" : "false") }
  package func encode(_ value: String) { node.become(JSONQuotes.quoted(value)) }
  package func encode(_ value: Double) throws { node.become(try text(value)) }
  package func encode(_ value: Float) throws { node.become(try text(value)) }
  package func encode(_ value: Int) { node.become(String(value)) }
  package func encode(_ value: Int8) { node.become(String(value)) }
  package func encode(_ value: Int16) { node.become(String(value)) }
  package func encode(_ value: Int32) { node.become(String(value)) }
  package func encode(_ value: Int64) { node.become(String(value)) }
  package func encode(_ value: UInt) { node.become(String(value)) }
  package func encode(_ value: UInt8) { node.become(String(value)) }
  package func encode(_ value: UInt16) { node.become(String(value)) }
  package func encode(_ value: UInt32) { node.become(String(value)) }
  package func encode(_ value: UInt64) { node.become(String(value)) }
  package func encode(_ value: Int128) { node.become(String(value)) }
  package func encode(_ value: UInt128) { node.become(String(value)) }
  package func encode<T: Encodable>(_ value: T) throws { try value.encode(to: self) }
}
