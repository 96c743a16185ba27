public import UdevRules

/// Describes the reasons why rules have no effect, in sentences.
struct RuleWords {
  let facts: RuleFacts

  func mismatch(_ mismatch: UdevRuleMismatch, _ report: UdevRuleReport) -> RuleVerdict.Mismatch {
    let chain = facts.chain
    let device = chain.indices.contains(mismatch.device) ? chain[mismatch.device] : nil
    let candidates = RuleCorrections(facts: facts, report: report).candidates(for: mismatch)
    return RuleVerdict.Mismatch(
      match: mismatch.token.description,
      found: mismatch.found.flatMap { $0.isEmpty ? nil : $0.exact },
      device: "/sys" + (device?.path.exact ?? ""), isParent: mismatch.device > 0,
      matching: candidates.compactMap(\.text).first { $0 != mismatch.token.description })
  }

  /// Returns a sentence about a match that does not hold.
  func sentence(_ mismatch: UdevRuleMismatch, _ line: UdevRuleLine?) -> String {
    let mismatch = mismatch.telling(facts.chain)
    let token = mismatch.token
    let parents = line?.tokens.filter(\.key.isOfParents) ?? []
    if token.key.isOfParents, parents.count > 1, isSatisfiedApart(parents) {
      let list = parents.map(\.description).joined(separator: " and ")
      return "\(list) hold for different devices; one parent must satisfy all of them."
    }
    let subject = mismatch.device == 0 ? "the device" : "its parent \(name(mismatch.device))"
    switch token.key {
    // In a list of patterns, a condition at the end would apply only to the last one.
    case .attribute where mismatch.found == nil, .parentAttribute where mismatch.found == nil:
      let attribute = token.attribute?.exact ?? ""
      if token.key == .parentAttribute, !facts.chain.contains(where: { $0.has(attribute) }) {
        return """
          \(token) does not match: neither the device nor a parent has the \(attribute) attribute.
          """
      }
      return "\(token) does not match: \(subject) has no \(attribute) attribute."
    case .parentKernel, .parentSubsystem, .parentDriver:
      let names = values(token.key).map { "\"\($0)\"" }.joined(separator: ", ")
      return "\(token) does not match: the device and its parents have \(names)."
    case .test: return "\(token) does not match: there is no such file."
    case .property where mismatch.found?.isEmpty ?? true:
      return "\(token) does not match: the property is not set there."
    case .tag, .parentTag, .link:
      return "\(token) does not match: \(subject) has \(list(mismatch.found))."
    case .action:
      return "\(token) does not match: the event is \(mismatch.found?.exact ?? "")."
    default:
      guard let found = mismatch.found, !found.isEmpty else {
        if let attribute = token.attribute?.exact, token.key != .property {
          return "\(token) does not match: the \(attribute) attribute of \(subject) is empty."
        }
        return "\(token) does not match: \(subject) has none."
      }
      let has = token.key == .kernel ? "is called" : "has"
      return "\(token) does not match: \(subject) \(has) \"\(found.exact)\"."
    }
  }

  /// Returns the values of the device and its parents, without duplicates.
  private func values(_ key: UdevRuleKey) -> [String] {
    var values: [String] = []
    for device in facts.chain {
      let value: UdevRuleText? =
        switch key {
        case .parentKernel: device.name
        case .parentSubsystem: device.subsystem
        default: device.driver
        }
      if let text = value?.exact, !values.contains(text) { values.append(text) }
    }
    return values
  }

  private func list(_ found: UdevRuleText?) -> String {
    guard let found, !found.isEmpty else { return "none" }
    return found.exact
  }

  private func name(_ index: Int) -> String {
    facts.chain.indices.contains(index) ? facts.chain[index].name.exact : ""
  }

  /// Returns `true` if each match holds for some device in the chain.
  func isSatisfiedApart(_ tokens: [UdevRuleToken]) -> Bool {
    tokens.allSatisfy { token in
      facts.chain.contains { $0.isAccepted(by: token) }
    }
  }

  func sentence(_ doubts: [UdevRuleDoubt], _ proof: RuleProof) -> String {
    let reasons = doubts.map { doubt in
      doubt.clause + (proof.source(of: doubt).map { " (\($0))" } ?? "")
    }
    return "Whether it takes effect is not known: it depends on "
      + reasons.joined(separator: " and on ") + "."
  }
}

extension UdevRuleDevice {
  fileprivate func has(_ attribute: String) -> Bool {
    attributes[UdevRuleText(exact: attribute)]?.value != nil
  }

  /// Returns `true` if the device has a value for which a match holds.
  func isAccepted(by token: UdevRuleToken) -> Bool {
    let value: UdevRuleText? =
      switch token.key {
      case .kernel, .parentKernel: name
      case .subsystem, .parentSubsystem: subsystem ?? ""
      case .parentDriver: driver ?? ""
      case .attribute, .parentAttribute: token.attribute.flatMap { attributes[$0]?.value }
      default: nil
      }
    guard var value else { return false }
    if token.trimsFoundValue { value = UdevRuleText(value.bytes.trimmingEnd) }
    return token.pattern.accepts(value.bytes)
  }
}

extension UdevRuleDoubt {
  /// The unknown fact, as a phrase that follows "depends on"; it might not be safe to print.
  public var clause: String {
    switch self {
    case .program(let command): "what the program \"\(command.exact)\" does, which is not run"
    case .builtin(let command): "what udevd's command \"\(command.exact)\" finds"
    case .attribute(let name, let device):
      "the \(name.exact) attribute of /sys\(device.exact), which could not be read"
    case .writtenAttribute(let name): "the \(name.exact) attribute, which an earlier line writes"
    case .setting(let path): "/proc/sys/\(path.exact), which could not be read"
    case .file(let path): "the file \(path.exact), which was not read"
    case .commandLine: "the kernel command line, which was not read"
    case .constant(let name): "the constant \(name.exact)"
    case .device(let name): "the device \(name.exact), which was not read"
    case .database: "udev's database, which could not be read"
    case .user(let name): "the user \(name.exact), who was not looked up"
    case .group(let name): "the group \(name.exact), which was not looked up"
    case .order: "the order of values, which may change"
    case .version: "the exact version of systemd"
    case .process: "which udevd process handles the event"
    case .line(let place): "whether \(place) takes effect"
    }
  }
}

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
        guard let line, RuleTargets(facts: facts).isForOthers(line) else {
          return (.mismatch, text)
        }
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
        udevd (systemd \(facts.version.number)) ignores the whole line, because \(effect.token) \
        names \(kind) \(id), and the highest \(kind == "user" ? "UID" : "GID") of a system \(kind) is \
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
    case .tag(let tag): "the \(tag.exact) tag"
    case .link(let path): "the link \(path.exact)"
    case .property(let name): "the \(name.exact) property"
    case .interfaceName: "the name of the interface"
    case .attribute(let path): "the \(path.exact) attribute"
    case .setting(let path): "the setting \(path.exact)"
    case .command: "a command"
    case .option(let name): "the \(name.exact) option"
    }
  }
}
