extension HardwareFacts {
  /// Who may use the cards in smart-card readers: programs reach them through pcscd(8), which asks
  /// polkit(8).
  public struct CardService: Hashable, Sendable, Codable {
    /// What polkit tells sessions apart by.
    public enum Standing: String, Hashable, Sendable, Codable, CaseIterable {
      /// Everybody else: ssh, services, cron.
      case any
      /// A session on a seat of this machine that is not the active one.
      case inactive
      /// The active session of a seat.
      case active
    }

    /// What polkit answered when it was asked about the very process.
    public enum Answer: String, Hashable, Sendable, Codable, CaseIterable {
      /// The process may.
      case yes
      /// It may not.
      case no
      /// It would ask for a password.
      case challenge
    }

    /// What the rules of polkit say beside the defaults of the actions.
    public enum Rules: String, Hashable, Sendable, Codable, CaseIterable {
      /// No rule decides about any action.
      case none
      /// Some rules decide about actions, and none names those of pcscd.
      case other
      /// A rule names the actions of pcscd.
      case named
    }

    /// The actions that pcscd asks for: to talk to it, and to talk to a card.
    public static let actions = [
      "org.debian.pcsc-lite.access_pcsc", "org.debian.pcsc-lite.access_card",
    ]

    /// Whom the default of an action refuses.
    public var refused: [Standing]
    /// What the rules say; `nil` where they cannot be read.
    public var rules: Rules?
    /// The answer; `nil` where polkit was not asked.
    public var answer: Answer?

    /// Creates the facts of a daemon about whose rules nothing is known.
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

  /// Whether a raw USB device has a smart-card reader in it.
  package func isCardReader(_ device: DeviceFacts) -> Bool {
    guard device.subsystem == DeviceKind.usb.subsystem, device.node != nil else { return false }
    if device.properties["ID_SMARTCARD_READER"]?.isEmpty == false { return true }
    return interfaces.contains { $0.isOfCards && $0.belongs(to: device) }
  }
}

extension HardwareFacts.USBInterface {
  /// Whether it speaks CCID, the protocol of readers (class 0x0B).
  fileprivate var isOfCards: Bool { interfaceClass == 0x0B }
}
