/// An array of capability names in lower case without `CAP_`; an unnamed capability is a number.
extension CapabilitySet: Codable {
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    self.init()
    while !list.isAtEnd {
      // Try a name first: most elements are names, and a failed attempt to decode is slow.
      guard let name = try? list.decode(String.self) else {
        try insert(number: list.decode(UInt8.self), of: list)
        continue
      }
      guard let number = Self.numbers[name] else {
        throw DecodingError.dataCorruptedError(
          in: list, debugDescription: "unknown capability \(name.prefix(64))")
      }
      bits |= 1 << UInt64(number)
    }
  }

  private static let numbers = Dictionary(
    uniqueKeysWithValues: Capability.names.enumerated().map { ($1, $0) })

  private mutating func insert(number: UInt8, of list: any UnkeyedDecodingContainer) throws {
    let named = Capability.names.count
    guard let capability = Capability(rawValue: number), Int(number) >= named else {
      throw DecodingError.dataCorruptedError(
        in: list, debugDescription: "a capability below \(named) is written by its name")
    }
    bits |= 1 << UInt64(capability.rawValue)
  }

  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for capability in members {
      if Int(capability.rawValue) < Capability.names.count {
        try list.encode(capability.name)
      } else {
        try list.encode(capability.rawValue)
      }
    }
  }
}
