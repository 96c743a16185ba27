/// Smart-card readers, which programs use through a daemon that asks polkit.
extension UseLayer {
  /// Returns the cause if polkit does not let the subject use cards.
  ///
  /// The cause is independent of the permissions of the reader's raw node.
  func cardCause() -> Cause? {
    guard assessment.verdict != .absent, subject.euid != 0, !isCardDaemon,
      let hardware = facts.hardware,
      let service = hardware.cards, let device, hardware.isCardReader(device)
    else { return nil }
    if let answer = service.answer {
      return answer == .no ? refusal(reason(service), isProven: true) : nil
    }
    guard let standing, service.refused.contains(standing) else { return nil }
    let isProven = service.rules == HardwareFacts.CardService.Rules.none
    let doubt =
      switch service.rules {
      case .some(.none): ""
      case .named: ", unless one of its rules about them allows \(user)"
      case .other: ", unless one of its rules allows \(user)"
      case nil: ", unless one of its rules, which cannot be read, allows \(user)"
      }
    return refusal(reason(service) + doubt, isProven: isProven)
  }

  private func refusal(_ reason: String, isProven: Bool) -> Cause {
    Cause(
      .polkitRefused,
      summary: """
        Most programs use this reader's cards through pcscd, and polkit does not let \(user) use \
        pcscd\(reason). No permission on \(path) changes that.
        """, at: path, isProven: isProven)
  }

  /// A Boolean value that indicates whether the subject is pcscd itself, which opens the node.
  private var isCardDaemon: Bool {
    confinement.serviceUnit == "pcscd.service" || facts.account.userNames[subject.euid] == "pcscd"
  }

  /// The kind of session that polkit sees for the subject; `nil` if it is unknown.
  private var standing: HardwareFacts.CardService.Standing? {
    guard let session = facts.session, session.isLogindRunning else { return nil }
    guard session.id != nil else {
      // polkit treats programs that the user manager started as a part of the user's session.
      let isOfManager = confinement.unit?.hasPrefix("user@") ?? false
      guard isOfManager, !session.userSeats.isEmpty else { return .any }
      return session.activeUsers.values.contains(subject.ruid) ? .active : .inactive
    }
    guard session.seat != nil else { return .any }
    return session.isActive ? .active : .inactive
  }

  private func reason(_ service: HardwareFacts.CardService) -> String {
    guard let standing, service.refused.contains(standing) else { return "" }
    return switch standing {
    case .any:
      facts.session?.userSeats.isEmpty == false
        ? ", because this process is outside the session of \(user) on the seat"
        : ", because \(user) has no session on a seat of this machine"
    case .inactive: ", because the session of \(user) is not the active one of its seat"
    case .active: ""
    }
  }

  /// Returns the remedy that adds a polkit rule for only this user and the card actions.
  func cardRemedies() -> [Remedy] {
    guard names.hasPlainName(user: subject.euid) else { return [] }
    let name = names.userWord(subject.euid)
    let file = "/etc/polkit-1/rules.d/40-devaccess-cards.rules"
    let isMeant = HardwareFacts.CardService.actions.map { #"action.id == "\#($0)""# }
      .joined(separator: " || ")
    let rule =
      "polkit.addRule(function(action, subject) { if ((\(isMeant)) && "
      + #"subject.user == "\#(name)") return polkit.Result.YES; });"#
    return [
      Remedy(
        "Always allow \(user) to use cards through pcscd",
        // polkitd reads the directory as its own user. It reloads a file when the file is written,
        // but not when its mode changes.
        commands: [
          "touch \(file)", "chmod 644 \(file)",
          "printf '%s\\n' \(rule.shellQuoted) >> \(file)",
        ], actor: .administrator, scope: "access to the cards in every reader that pcscd serves",
        assumes: Remedy.both(
          "polkit reads rules in JavaScript (0.106 or newer)", "no earlier rule refuses"))
    ]
  }

  /// Returns the commands that ask polkit about the shell in which they are entered.
  func cardLookups() -> [Lookup] {
    guard facts.hardware?.cards?.answer == nil else { return [] }
    return [
      Lookup(
        "Ask polkit, as the user and in the session in question",
        commands: HardwareFacts.CardService.actions.map {
          "pkcheck --action-id \($0) --process $$"
        })
    ]
  }
}
