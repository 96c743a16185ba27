extension HardwareFacts: Codable {
  private enum Keys: String, CodingKey {
    case unbound
    case modules
    case switchedOff = "switched_off"
    case usb
    case authorizedDefault = "authorized_default"
    case media
    case numbers
    case unknownNodes = "unknown_nodes"
    case hasUdevControl = "udev_control"
    case hasUdevDaemon = "udev_daemon"
    case areModulesDisabled = "modules_disabled"
    case areSignaturesRequired = "signatures_required"
    case keepers
    case interfaces
    case held
    case services
    case ports
    case cards
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: Keys.self)
    let limit = SnapshotLimits.hardware
    unbound = try values.boundedIfPresent(.unbound, limit: limit) ?? []
    modules = try values.boundedIfPresent(.modules, limit: limit) ?? []
    switchedOff = try values.boundedIfPresent(.switchedOff, limit: limit) ?? []
    usb = try values.boundedIfPresent(.usb, limit: limit) ?? []
    authorizedDefault = try values.decodeIfPresent(Int.self, forKey: .authorizedDefault)
    media = try values.boundedIfPresent(.media, limit: limit) ?? []
    numbers = try values.boundedIfPresent(.numbers, limit: limit) ?? []
    unknownNodes = try values.boundedIfPresent(.unknownNodes, limit: limit) ?? []
    hasUdevControl = try values.decodeIfPresent(Bool.self, forKey: .hasUdevControl)
    hasUdevDaemon = try values.decodeIfPresent(Bool.self, forKey: .hasUdevDaemon)
    areModulesDisabled = try values.decodeIfPresent(Bool.self, forKey: .areModulesDisabled)
    areSignaturesRequired = try values.decodeIfPresent(Bool.self, forKey: .areSignaturesRequired)
    let keepers = try values.decodeIfPresent([String: String].self, forKey: .keepers) ?? [:]
    guard keepers.count <= limit else {
      throw DecodingError.dataCorruptedError(
        forKey: .keepers, in: values, debugDescription: "more than \(limit) keepers")
    }
    self.keepers = keepers
    interfaces = try values.boundedIfPresent(.interfaces, limit: limit) ?? []
    held = try values.boundedIfPresent(.held, limit: limit) ?? []
    ports = try values.boundedIfPresent(.ports, limit: limit) ?? []
    services = try values.boundedIfPresent(.services, limit: limit) ?? []
    cards = try values.decodeIfPresent(CardService.self, forKey: .cards)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(unbound, forKey: .unbound)
    try values.encode(modules, forKey: .modules)
    try values.encode(switchedOff, forKey: .switchedOff)
    // Older versions know none of these members, and most machines have none of them.
    if !usb.isEmpty { try values.encode(usb, forKey: .usb) }
    try values.encodeIfPresent(authorizedDefault, forKey: .authorizedDefault)
    if !media.isEmpty { try values.encode(media, forKey: .media) }
    if !numbers.isEmpty { try values.encode(numbers, forKey: .numbers) }
    if !unknownNodes.isEmpty { try values.encode(unknownNodes, forKey: .unknownNodes) }
    try values.encodeIfPresent(hasUdevControl, forKey: .hasUdevControl)
    try values.encodeIfPresent(hasUdevDaemon, forKey: .hasUdevDaemon)
    try values.encodeIfPresent(areModulesDisabled, forKey: .areModulesDisabled)
    try values.encodeIfPresent(areSignaturesRequired, forKey: .areSignaturesRequired)
    if !keepers.isEmpty { try values.encode(sorted: keepers, forKey: .keepers) }
    if !held.isEmpty { try values.encode(held, forKey: .held) }
    if !ports.isEmpty { try values.encode(ports, forKey: .ports) }
    if !services.isEmpty { try values.encode(services, forKey: .services) }
    if !interfaces.isEmpty { try values.encode(interfaces, forKey: .interfaces) }
    try values.encodeIfPresent(cards, forKey: .cards)
  }
}

extension HardwareFacts.Switch: Codable {
  private enum Keys: String, CodingKey {
    case path
    case value
    case on
    case needsRestart = "needs_restart"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    self.init(
      path: try values.decode(String.self, forKey: .path),
      value: try values.decode(String.self, forKey: .value),
      on: try values.decodeIfPresent(String.self, forKey: .on),
      needsRestart: try values.decodeIfPresent(Bool.self, forKey: .needsRestart) ?? false)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(path, forKey: .path)
    try values.encode(value, forKey: .value)
    try values.encodeIfPresent(on, forKey: .on)
    if needsRestart { try values.encode(needsRestart, forKey: .needsRestart) }
  }
}
