extension HardwareFacts {
  /// The service that controls access to the cards in smart-card readers.
  ///
  /// Programs reach the cards through pcscd(8), which asks polkit(8).
  public struct CardService: Hashable, Sendable, Codable {
    /// The status of a session for polkit, which can have a different default for each.
    public enum Standing: String, Hashable, Sendable, Codable, CaseIterable {
      /// A process outside the sessions on local seats, such as in ssh, a service or cron.
      case any
      /// A session on a local seat that is not the active one.
      case inactive
      /// The active session of a local seat.
      case active
    }

    /// polkit's answer to a request about this process.
    public enum Answer: String, Hashable, Sendable, Codable, CaseIterable {
      /// The process is authorized.
      case yes
      /// The process is not authorized.
      case no
      /// polkit would ask for a password.
      case challenge
    }

    /// The effect of polkit's rules, which can override the defaults of the actions.
    public enum Rules: String, Hashable, Sendable, Codable, CaseIterable {
      /// No rule decides about any action.
      case none
      /// Some rules decide about actions, but none contains the names of pcscd's actions.
      case other
      /// A rule contains the name of an action of pcscd.
      case named
    }

    /// The actions for which pcscd asks polkit: connecting to it, and accessing a card.
    public static let actions = [
      "org.debian.pcsc-lite.access_pcsc", "org.debian.pcsc-lite.access_card",
    ]

    /// The sessions that the default of at least one action refuses.
    public var refused: [Standing]
    /// The effect of the rules; `nil` if they could not be read.
    public var rules: Rules?
    /// The answer of polkit; `nil` if it was not asked.
    public var answer: Answer?

    /// Creates the facts about a service, by default without rules and an answer.
    public init(refused: [Standing], rules: Rules? = nil, answer: Answer? = nil) {
      self.refused = refused
      self.rules = rules
      self.answer = answer
    }

    private enum CodingKeys: String, CodingKey {
      case refused, rules, answer
    }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      refused = try values.boundedIfPresent(.refused, limit: Standing.allCases.count) ?? []
      rules = try values.decodeIfPresent(Rules.self, forKey: .rules)
      answer = try values.decodeIfPresent(Answer.self, forKey: .answer)
    }
  }

  /// Returns whether a raw USB device contains a smart-card reader.
  package func isCardReader(_ device: DeviceFacts) -> Bool {
    guard device.subsystem == DeviceKind.usb.subsystem, device.node != nil else { return false }
    if device.properties["ID_SMARTCARD_READER"]?.isEmpty == false { return true }
    return interfaces.contains { $0.isOfCards && $0.belongs(to: device) }
  }
}

extension HardwareFacts.USBInterface {
  /// A Boolean value that indicates whether the interface uses CCID, the protocol of smart-card
  /// readers (class 0x0B).
  fileprivate var isOfCards: Bool { interfaceClass == 0x0B }
}
