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

    /// Creates the facts of a port, of which nothing says how ModemManager treats it.
    public init(
      node: String, interface: [Int]? = nil, properties: [String: String] = [:],
      policy: String? = nil, isAlone: Bool? = nil
    ) {
      self.node = node
      self.interface = interface
      self.properties = properties
      self.policy = policy
      self.isAlone = isAlone
    }

    private enum CodingKeys: String, CodingKey {
      case node, interface, properties, policy
      case isAlone = "alone"
    }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      node = try values.decode(String.self, forKey: .node)
      interface = try values.boundedIfPresent(.interface, limit: 3)
      properties = try values.decodeIfPresent([String: String].self, forKey: .properties) ?? [:]
      policy = try values.decodeIfPresent(String.self, forKey: .policy)
      isAlone = try values.decodeIfPresent(Bool.self, forKey: .isAlone)
    }

    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(node, forKey: .node)
      try values.encodeIfPresent(interface, forKey: .interface)
      if !properties.isEmpty { try values.encode(sorted: properties, forKey: .properties) }
      try values.encodeIfPresent(policy, forKey: .policy)
      try values.encodeIfPresent(isAlone, forKey: .isAlone)
    }

    /// Whether ModemManager may open it (`mm_filter_port` and `mm_filter_device_and_port`).
    ///
    /// Its rules mark what it looks at. Under the policy `strict`, which is the usual one, it opens
    /// a port that is meant for it, or whose interface says that it takes AT commands, if its device
    /// has other ports too: many boards claim such commands, and have a single port.
    var isProbed: Bool {
      guard properties["ID_MM_CANDIDATE"] == "1", !isSet("ID_MM_DEVICE_IGNORE"),
        !isSet("ID_MM_PORT_IGNORE")
      else { return false }
      if isSet("ID_MM_DEVICE_PROCESS") || isSet("ID_MM_TTY_AT_PORT_TYPE") { return true }
      // The policy for what is meant for it has two names; 1.20 knows both.
      let isListOnly = policy == "whitelist-only" || policy == "allowlist-only"
      guard policy == nil || policy == "strict" || isListOnly else { return true }
      guard !isListOnly, isAlone != true, let interface, interface.count == 3 else { return false }
      return interface[0] == 2 && interface[1] == 2 && (1...6).contains(interface[2])
    }

    private func isSet(_ property: String) -> Bool {
      properties[property].map { $0 == "1" || $0 == "true" } ?? false
    }
  }
}
