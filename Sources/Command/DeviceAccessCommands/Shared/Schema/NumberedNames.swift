internal import JSONText

/// A JSON object that maps IDs to names, sorted by ID.
struct NumberedNames: Encodable {
  let names: [UInt32: String]

  init(_ names: [UInt32: String]) {
    self.names = names
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONKey.self)
    for (number, name) in names.sorted(by: { $0.key < $1.key }) {
      try container.encode(name, forKey: JSONKey(stringValue: String(number)))
    }
  }
}
