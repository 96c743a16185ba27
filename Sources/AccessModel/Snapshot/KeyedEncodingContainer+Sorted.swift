/// A member of a JSON object under a name that the type does not know in advance.
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
  /// Encodes a dictionary as an object with its members in the order of their names.
  ///
  /// A dictionary's own order changes from process to process; the same facts are to give the
  /// same text.
  mutating func encode(sorted members: [String: some Encodable], forKey key: Key) throws {
    var object = nestedContainer(keyedBy: NameKey.self, forKey: key)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      try object.encode(value, forKey: NameKey(stringValue: name))
    }
  }
}
