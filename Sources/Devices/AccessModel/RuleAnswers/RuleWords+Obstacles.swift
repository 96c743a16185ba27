extension RuleWords {
  /// Returns the code and one sentence for the reason why a line has no effect.
  func sentence(
    _ obstacle: RuleProof.Obstacle, _ line: UdevRuleLine?, _ proof: RuleProof
  ) -> (RuleFinding.Code, String) {
    switch obstacle {
    case .absent: return (.invalid, "udevd ignores the line.")
    case .failed(let mismatch):
      let text = sentence(mismatch, line)
      guard let later = proof.laterCause(of: mismatch) else {
        guard let line, RuleTies(facts: facts).isForOthers(line) else { return (.mismatch, text) }
        return (
          .mismatch,
          "\(text) Nothing else in the line names this device: it is a rule for other devices."
        )
      }
      return (.tooEarly, "\(text) \(later), which comes later, makes it match.")
    case .skipped(let by): return (.skipped, "The GOTO of \(by) skips the line.")
    case .overwritten(let effect, let by):
      return (.overwritten, "\(by), which comes later, overrides \(effect.subject.words).")
    case .fixed(let effect, let by):
      return (.fixedBefore, "\(by) has fixed \(effect.subject.words) with := before.")
    case .tooLate(let effect, let after):
      return (
        .tooLate,
        "\(after) gives tagged devices to the user of the seat, and comes before \(effect.token)."
      )
    case .noSuchName(let effect):
      let kind = effect.subject == .owner ? "user" : "group"
      let object =
        facts.version.ignoresLinesWithUnknownAccounts ? "the whole line" : "\(effect.token)"
      return (
        .noSuchName,
        "udevd ignores \(object), because there is no \(kind) \(effect.token.value.exact)."
      )
    case .ordinaryAccount(let effect, let id):
      let kind = effect.subject == .owner ? "user" : "group"
      return (
        .ordinaryAccount,
        """
        udevd of systemd \(facts.version.number) ignores the whole line, because \(effect.token) \
        names \(kind) \(id), and the highest number of a system \(kind) is \
        \(UdevRuleVersion.lastSystemAccount).
        """
      )
    case .invalidMode(let effect):
      return (
        .invalid, "udevd ignores \(effect.token): a mode is octal digits, such as 0660."
      )
    case .missingProgram(let effect, let name):
      return (
        .missingProgram,
        """
        udevd does not run \(effect.token): it looks for programs without a path in \
        \(RuleFacts.programFolder), and \(name) is not there.
        """
      )
    case .nodeName(let token):
      return (
        .irrelevant,
        "udevd ignores \(token): it renames network interfaces only. SYMLINK+= gives a node a second name."
      )
    case .irrelevant:
      return (
        .irrelevant, "The line sets what only a node has, or what this event does not have."
      )
    case .undetermined(let doubts):
      return (.undetermined, sentence(doubts, proof))
    }
  }
}

extension UdevRuleEffect.Subject {
  /// The subject in words, which may contain unprintable characters.
  public var words: String {
    switch self {
    case .owner: "the owner"
    case .group: "the group"
    case .mode: "the mode"
    case .securityLabel(let module): "the label of \(module.exact)"
    case .tag(let tag): "the tag \(tag.exact)"
    case .link(let path): "the link \(path.exact)"
    case .property(let name): "the property \(name.exact)"
    case .interfaceName: "the name of the interface"
    case .attribute(let path): "the attribute \(path.exact)"
    case .setting(let path): "the setting \(path.exact)"
    case .command: "a command"
    case .option(let name): "the option \(name.exact)"
    }
  }
}
