/// A list of the kernel's names in lower case without `CAP_`; a capability that has no name here
/// is its number.
extension CapabilitySet: Codable {
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    self.init()
    let named = Capability.names.count
    while !list.isAtEnd {
      if let number = try? list.decode(UInt8.self) {
        guard let capability = Capability(rawValue: number), Int(number) >= named else {
          throw DecodingError.dataCorruptedError(
            in: list, debugDescription: "a capability below \(named) is written by its name")
        }
        bits |= 1 << UInt64(capability.rawValue)
        continue
      }
      let name = try list.decode(String.self)
      guard let number = Capability.names.firstIndex(of: name),
        let capability = Capability(rawValue: UInt8(number))
      else {
        throw DecodingError.dataCorruptedError(
          in: list, debugDescription: "unknown capability \(name.prefix(64))")
      }
      bits |= 1 << UInt64(capability.rawValue)
    }
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
