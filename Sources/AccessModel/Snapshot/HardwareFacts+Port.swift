extension HardwareFacts {
  /// What decides whether ModemManager opens a serial port to look for a modem.
  public struct Port: Hashable, Sendable, Codable {
    /// The node of the port.
    public var node: String
    /// Class, subclass and protocol of its USB interface; `nil` when unknown.
    public var interface: [Int]?
    /// The properties of udev that begin with `ID_MM_`, of the port and of its USB device.
    public var properties: [String: String]
    /// What ModemManager was started with as `--filter-policy=`, such as `strict`; `nil` when that
    /// could not be read.
    public var policy: String?
    /// Whether its USB device has no other port that a modem has: serial, network or control;
    /// `nil` when unknown.
    public var isAlone: Bool?
    /// The vendor of its USB device in hexadecimal, such as `1546`; `nil` when unknown.
    public var vendor: String?

    /// Creates the facts of a port, of which nothing says how ModemManager treats it.
    public init(
      node: String, interface: [Int]? = nil, properties: [String: String] = [:],
      policy: String? = nil, isAlone: Bool? = nil, vendor: String? = nil
    ) {
      self.node = node
      self.interface = interface
      self.properties = properties
      self.policy = policy
      self.isAlone = isAlone
      self.vendor = vendor
    }

    private enum CodingKeys: String, CodingKey {
      case node, interface, properties, policy, vendor
      case isAlone = "alone"
    }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      node = try values.decode(String.self, forKey: .node)
      interface = try values.boundedIfPresent(.interface, limit: 3)
      properties = try values.decodeIfPresent([String: String].self, forKey: .properties) ?? [:]
      policy = try values.decodeIfPresent(String.self, forKey: .policy)
      isAlone = try values.decodeIfPresent(Bool.self, forKey: .isAlone)
      vendor = try values.decodeIfPresent(String.self, forKey: .vendor)
    }

    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(node, forKey: .node)
      try values.encodeIfPresent(interface, forKey: .interface)
      if !properties.isEmpty { try values.encode(sorted: properties, forKey: .properties) }
      try values.encodeIfPresent(policy, forKey: .policy)
      try values.encodeIfPresent(isAlone, forKey: .isAlone)
      try values.encodeIfPresent(vendor, forKey: .vendor)
    }

    /// Whether ModemManager may open it (`mm_filter_port` and `mm_filter_device_and_port`).
    ///
    /// Its rules mark what it looks at. Under the policy `strict`, which is the usual one, it opens
    /// a port that is meant for it, one of a maker of modems, or one whose interface says that it takes
    /// AT commands, if its device has other ports too: many boards claim such commands, and have a
    /// single port.
    var isProbed: Bool {
      guard properties["ID_MM_CANDIDATE"] == "1", !isSet("ID_MM_DEVICE_IGNORE"),
        !isSet("ID_MM_PORT_IGNORE")
      else { return false }
      if isSet("ID_MM_DEVICE_PROCESS") || isSet("ID_MM_TTY_AT_PORT_TYPE") { return true }
      // The policy for what is meant for it has two names; 1.20 knows both.
      let isListOnly = policy == "whitelist-only" || policy == "allowlist-only"
      guard policy == nil || policy == "strict" || isListOnly else { return true }
      guard !isListOnly else { return false }
      if vendor.map(Self.makers.contains) == true || Self.tags.contains(where: isSet) {
        return true
      }
      return isAlone != true && takesCommands
    }

    /// Whether versions of ModemManager that do not look for other ports of the device may open it,
    /// which is the only one.
    var isProbedByOlder: Bool {
      guard properties["ID_MM_CANDIDATE"] == "1", !isSet("ID_MM_DEVICE_IGNORE"),
        !isSet("ID_MM_PORT_IGNORE"), policy == nil || policy == "strict"
      else { return false }
      return isAlone == true && takesCommands
    }

    /// Whether the interface says that it takes AT commands.
    private var takesCommands: Bool {
      guard let interface, interface.count == 3 else { return false }
      return interface[0] == 2 && interface[1] == 2 && (1...6).contains(interface[2])
    }

    /// The makers whose devices ModemManager's plugins take as a whole: what 1.24 prints with
    /// `--debug` ("registered plugin allowlist vendor id").
    private static let makers: Set<String> = [
      "0421", "0489", "0681", "0af0", "0b3c", "105b", "106c", "114f", "1199", "1269", "12d1",
      "1410", "1508", "1546", "16d5", "1782", "1931", "19d2", "1a26", "1bbb", "1bc7", "1c9e",
      "1e0e", "1e2d", "1eac", "1edd", "2001", "201e", "2020", "203e", "230d", "2357", "2692",
      "2c7c", "2cb7", "305a", "33f8", "3731", "413c", "8086",
    ]

    /// The marks by which its plugins take devices ("registered plugin allowlist tag").
    private static let tags = [
      "ID_MM_ERICSSON_MBM", "ID_MM_LONGCHEER_TAGGED", "ID_MM_MTK_TAGGED", "ID_MM_QCOM_SOC",
      "ID_MM_X22X_TAGGED",
    ]

    private func isSet(_ property: String) -> Bool {
      properties[property].map { $0 == "1" || $0 == "true" } ?? false
    }
  }
}
