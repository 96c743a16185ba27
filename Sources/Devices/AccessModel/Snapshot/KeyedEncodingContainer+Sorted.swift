/// The key of an object member whose name is known only at run time.
private struct NameKey: CodingKey {
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
    var object = nestedContainer(keyedBy: NameKey.self, forKey: key)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      try object.encode(value, forKey: NameKey(stringValue: name))
    }
  }
}
