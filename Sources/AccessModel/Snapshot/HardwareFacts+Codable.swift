extension HardwareFacts: Codable {
  private enum Keys: String, CodingKey {
    case unbound
    case modules
    case switchedOff = "switched_off"
    case areModulesDisabled = "modules_disabled"
    case areSignaturesRequired = "signatures_required"
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: Keys.self)
    let limit = SnapshotLimits.hardware
    unbound = try values.boundedIfPresent(.unbound, limit: limit) ?? []
    modules = try values.boundedIfPresent(.modules, limit: limit) ?? []
    switchedOff = try values.boundedIfPresent(.switchedOff, limit: limit) ?? []
    areModulesDisabled = try values.decodeIfPresent(Bool.self, forKey: .areModulesDisabled)
    areSignaturesRequired = try values.decodeIfPresent(Bool.self, forKey: .areSignaturesRequired)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(unbound, forKey: .unbound)
    try values.encode(modules, forKey: .modules)
    try values.encode(switchedOff, forKey: .switchedOff)
    try values.encodeIfPresent(areModulesDisabled, forKey: .areModulesDisabled)
    try values.encodeIfPresent(areSignaturesRequired, forKey: .areSignaturesRequired)
  }
}
