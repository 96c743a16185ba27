/// A string with the letter of each permission, such as `"rw"`.
extension Permissions: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let permissions = Permissions(letters: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "permissions are letters out of r, w and x")
    }
    self = permissions
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(letters)
  }
}
