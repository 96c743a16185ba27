/// What a file holds: a version and the value.
struct KeptDocument<Value: Sendable>: Sendable {
  let version: Int
  let value: Value

  enum CodingKeys: String, CodingKey {
    case version, value
  }
}

extension KeptDocument: Encodable where Value: Encodable {}
extension KeptDocument: Decodable where Value: Decodable {}

/// The version alone, which is read first.
struct KeptHeader: Decodable {
  let version: Int
}
