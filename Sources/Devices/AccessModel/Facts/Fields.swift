/// The members of a JSON object that stores a value, in the order in which they are written.
///
/// A type with many properties declares one table, and its `init(from:)` and `encode(to:)` only call
/// ``decode(_:from:)`` and ``encode(_:to:)``. Both use the same table, so a property cannot be read
/// but not written:
///
/// ```swift
/// extension HardwareFacts.Switch: Codable {
///   private static let fields: Fields<Self> = [
///     .required("path", \.path),
///     .required("value", \.value),
///     .optional("on", \.on),
///     .value("needs_restart", \.needsRestart, omitting: false),
///   ]
///
///   public init(from decoder: any Decoder) throws {
///     self = try Self.fields.decode(Self(path: "", value: ""), from: decoder)
///   }
///
///   public func encode(to encoder: any Encoder) throws {
///     try Self.fields.encode(self, to: encoder)
///   }
/// }
/// ```
struct Fields<Root>: ExpressibleByArrayLiteral, Sendable {
  private let fields: [Field<Root>]

  init(arrayLiteral fields: Field<Root>...) {
    self.fields = fields
  }

  /// Decodes the members of an object into the properties of a value.
  ///
  /// - Parameters:
  ///   - value: The value before decoding. Its properties are the defaults for absent members.
  ///     Properties whose member is required can have any value, because decoding replaces it.
  ///   - decoder: The decoder of the object.
  /// - Returns: The value with the decoded properties.
  /// - Throws: A `DecodingError` with the coding path of the first invalid member.
  func decode(_ value: Root, from decoder: any Decoder) throws -> Root {
    let members = try decoder.container(keyedBy: FieldKey.self)
    var value = value
    for field in fields { try field.decode(&value, members) }
    return value
  }

  /// Encodes the properties of a value as members of an object, which may already have others.
  func encode(_ value: Root, to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: FieldKey.self)
    for field in fields { try field.encode(value, &members) }
  }
}

/// A property of a type, with its key in a JSON object.
struct Field<Root>: Sendable {
  typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable
  typealias Decoded = KeyedDecodingContainer<FieldKey>
  typealias Encoded = KeyedEncodingContainer<FieldKey>

  fileprivate let decode: @Sendable (inout Root, Decoded) throws -> Void
  fileprivate let encode: @Sendable (Root, inout Encoded) throws -> Void

  /// Creates a field from the functions that decode and encode the property.
  init(
    _ key: String, decode: @escaping @Sendable (inout Root, Decoded, FieldKey) throws -> Void,
    encode: @escaping @Sendable (Root, inout Encoded, FieldKey) throws -> Void
  ) {
    let key = FieldKey(stringValue: key)
    self.decode = { try decode(&$0, $1, key) }
    self.encode = { try encode($0, &$1, key) }
  }

  /// A member that must be present.
  static func required<Value: Codable & Sendable>(
    _ key: String, _ path: Path<Value>
  ) -> Self {
    Field(key) {
      $0[keyPath: path] = try $1.decode(Value.self, forKey: $2)
    } encode: {
      try $1.encode($0[keyPath: path], forKey: $2)
    }
  }

  /// A member that is absent or null if the property is `nil`.
  static func optional<Value: Codable & Sendable>(
    _ key: String, _ path: Path<Value?>
  ) -> Self {
    Field(key) {
      $0[keyPath: path] = try $1.decodeIfPresent(Value.self, forKey: $2)
    } encode: {
      try $1.encodeIfPresent($0[keyPath: path], forKey: $2)
    }
  }

  /// A list of at most `limit` elements that is absent or null if the property is `nil`.
  static func optional<Element: Codable & Sendable>(
    _ key: String, _ path: Path<[Element]?>, limit: Int
  ) -> Self {
    Field(key) {
      $0[keyPath: path] = try $1.boundedIfPresent($2, limit: limit)
    } encode: {
      try $1.encodeIfPresent($0[keyPath: path], forKey: $2)
    }
  }

  /// A member that can be absent or null, and is not written if the property has the value
  /// `omitted`.
  static func value<Value: Codable & Equatable & Sendable>(
    _ key: String, _ path: Path<Value>, omitting omitted: Value? = nil
  ) -> Self {
    Field(key) {
      if let value = try $1.decodeIfPresent(Value.self, forKey: $2) { $0[keyPath: path] = value }
    } encode: {
      let value = $0[keyPath: path]
      if value != omitted { try $1.encode(value, forKey: $2) }
    }
  }

  /// A list of at most `limit` elements that can be absent or null, and is not written if the
  /// property has the value `omitted`.
  static func value<Element: Codable & Equatable & Sendable>(
    _ key: String, _ path: Path<[Element]>, limit: Int, omitting omitted: [Element]? = nil
  ) -> Self {
    Field(key) {
      if let list: [Element] = try $1.boundedIfPresent($2, limit: limit) {
        $0[keyPath: path] = list
      }
    } encode: {
      let list = $0[keyPath: path]
      if list != omitted { try $1.encode(list, forKey: $2) }
    }
  }

  /// An object of at most `limit` members that can be absent or null, and is not written if the
  /// property has the value `omitted`.
  ///
  /// Its members are written in the order of their names.
  static func members<Value: Codable & Equatable & Sendable>(
    _ key: String, _ path: Path<[String: Value]>, limit: Int = .max,
    omitting omitted: [String: Value]? = nil
  ) -> Self {
    Field(key) {
      guard let members = try $1.decodeIfPresent([String: Value].self, forKey: $2) else { return }
      guard members.count <= limit else { throw $1.invalid($2, "more than \(limit) members") }
      $0[keyPath: path] = members
    } encode: {
      let members = $0[keyPath: path]
      if members != omitted { try $1.encode(sorted: members, forKey: $2) }
    }
  }

  /// A member that is written for other programs and not read.
  static func derived<Value: Encodable & Sendable>(
    _ key: String, _ path: any KeyPath<Root, Value> & Sendable
  ) -> Self {
    Field(key, decode: { _, _, _ in }, encode: { try $1.encode($0[keyPath: path], forKey: $2) })
  }
}

/// The key of an object member, by its name.
struct FieldKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    return nil
  }
}

extension KeyedEncodingContainer {
  /// Encodes a dictionary as an object whose members are sorted by name.
  ///
  /// The order of a dictionary differs between processes, but the same facts must result in the
  /// same text.
  mutating func encode(sorted members: [String: some Encodable], forKey key: Key) throws {
    var object = nestedContainer(keyedBy: FieldKey.self, forKey: key)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      try object.encode(value, forKey: FieldKey(stringValue: name))
    }
  }
}
