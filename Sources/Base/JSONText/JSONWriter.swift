/// Encodes a value as JSON text, without Foundation.
///
/// Members keep the order that the type encodes them in, so the output is stable. A value that is
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

/// A list, an object or the text of a value in a JSON text that is being written.
///
/// It is a class because the containers of an encoder write into their parent's storage.
package final class JSONNode {
  /// An element of a list, or the value of a member.
  enum Part {
    /// Final text, such as a number or a quoted string.
    case text(String)
    case node(JSONNode)

    /// A Boolean value that indicates whether the part is neither a list nor an object.
    var isText: Bool {
      switch self {
      case .text: return true
      case .node(let node): if case .text = node.content { return true } else { return false }
      }
    }
  }

  enum Content {
    case text(String)
    case array([Part])
    /// The members, oldest first.
    case object([(key: String, value: Part)])
  }

  /// The smallest number of members whose positions are stored by key.
  private static let manyMembers = 16

  private(set) var content: Content
  /// The positions of the members by key, if there are many.
  private var places: [String: Int] = [:]

  /// Creates an empty object, which is also the result for a type that encodes nothing.
  package init() {
    content = .object([])
  }

  /// Changes the node to final text.
  func become(_ text: String) { content = .text(text) }

  /// Changes the node to an empty list, unless it is a list.
  func becomeArray() {
    if case .array = content { return }
    content = .array([])
  }

  /// Changes the node to an empty object, unless it is an object.
  func becomeObject() {
    if case .object = content { return }
    content = .object([])
  }

  /// The number of elements of a list; 0 for any other content.
  var count: Int { if case .array(let parts) = content { parts.count } else { 0 } }

  /// Adds an element.
  func append(_ part: Part) {
    guard case .array(var parts) = content else {
      content = .array([part])
      return
    }
    // With two references to the storage, appending would copy it.
    content = .text("")
    parts.append(part)
    content = .array(parts)
  }

  /// Sets the value of a member, which is added if no member has the key.
  func set(_ key: String, _ part: Part) {
    guard case .object(var members) = content else {
      content = .object([(key, part)])
      return
    }
    content = .text("")
    if let place = place(of: key, in: members) {
      members[place].value = part
    } else {
      if members.count >= Self.manyMembers { places[key] = members.count }
      members.append((key, part))
    }
    content = .object(members)
  }

  /// Sets the value of a member to a string.
  package func set(_ key: String, text: String) { set(key, .text(JSONQuotes.quoted(text))) }

  /// Sets the value of a member to a number.
  package func set(_ key: String, number: Int) { set(key, .text(String(number))) }

  /// Sets the value of a member to a list or an object.
  package func set(_ key: String, node: JSONNode) { set(key, .node(node)) }

  /// The text on one line, without spaces between tokens.
  package var line: String { JSONPrinter(self, .compact, limit: .max).text }

  private func place(of key: String, in members: [(key: String, value: Part)]) -> Int? {
    guard members.count >= Self.manyMembers else { return members.firstIndex { $0.key == key } }
    if places.isEmpty {
      for (index, member) in members.enumerated() { places[member.key] = index }
    }
    return places[key]
  }
}

/// The path to a value that is being written, as its key and the path of its container.
///
/// It is a linked list, so adding a key takes the same time at any depth.
final class JSONPath {
  private let parent: JSONPath?
  private let key: any CodingKey
  /// The number of keys in the path.
  let depth: Int

  init(_ parent: JSONPath?, _ key: any CodingKey) {
    self.parent = parent
    self.key = key
    depth = 1 + (parent?.depth ?? 0)
  }

  /// The keys, the outermost first.
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    keys.reserveCapacity(depth)
    var place: JSONPath? = self
    while let here = place {
      keys.append(here.key)
      place = here.parent
    }
    return keys.reversed()
  }
}
