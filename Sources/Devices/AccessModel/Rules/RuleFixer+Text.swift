internal import UdevRules

/// Fixes that change the text of a rule.
extension RuleFixer {
  /// Returns the current text of the rule; `nil` if its lines cannot be changed one by one.
  func text(of state: RuleFileState) -> RuleLineText? {
    state.text ?? state.line.flatMap { RuleLineText($0) }
  }

  /// Corrects a line that udevd cannot read and ignores.
  func correctText(_ state: inout RuleFileState) -> String? {
    guard state.text == nil, let line = state.line,
      let (text, title) = Self.corrected(line, facts.version)
    else { return nil }
    state.rewrite(text)
    state.meant = text
    return title
  }

  /// Returns the text that the author of an ignored line probably intended, with a description of
  /// the changes.
  ///
  /// - Returns: The text and the description; `nil` if no correction is known.
  static func corrected(
    _ line: [UInt8], _ version: UdevRuleVersion
  ) -> (text: RuleLineText, title: String)? {
    var titles: [String] = []
    var text = RuleLineText(line)
    if text == nil {
      text = RuleLineText(correcting: line)
      titles.append("correct the syntax of the line")
    }
    guard let text else { return nil }
    func words(_ key: [UInt8]) -> String { ByteText(bytes: key).text }
    let renamed = text.renamingKeys(version)
    for (old, new) in zip(text.parts, renamed.parts) where old.key != new.key {
      titles.append("replace \(words(old.key)) with \(words(new.key))")
    }
    let changed = renamed.comparing.assigning
    for (old, new) in zip(renamed.parts, changed.parts) where old.text != new.text {
      titles.append("replace \(words(old.text)) with \(words(new.text))")
    }
    return titles.isEmpty ? nil : (changed, titles.joined(separator: "; "))
  }

  /// Creates a group that the line names.
  ///
  /// The administrator decides which users belong to it.
  func addGroup(_ state: inout RuleFileState, _ effect: UdevRuleEffect) -> String? {
    let name = effect.token.value
    guard effect.subject == .group, state.group == nil, name.isAccountName else { return nil }
    state.group = name
    return "create the group \(name)"
  }

  /// Gives a group that the line names the ID of a system group, and keeps its members.
  func renumberGroup(_ state: inout RuleFileState, _ effect: UdevRuleEffect) -> String? {
    let name = effect.token.value
    guard effect.subject == .group, state.renumbered == nil, name.isAccountName,
      !isPrivateGroup(name)
    else { return nil }
    let taken = Set(facts.environment.groups.values.compactMap(\.value))
    // IDs are usually assigned from either end of the range of system groups.
    guard let id = (UInt32(500)...899).first(where: { !taken.contains($0) }) else { return nil }
    state.renumbered = (name, id)
    return "give group \(name) a system GID"
  }

  /// Returns whether a user has the same name as a group, which is then usually that user's own
  /// group.
  ///
  /// The user's files belong to the ID of the group, so it must not change.
  private func isPrivateGroup(_ name: UdevRuleText) -> Bool {
    facts.environment.users[name]?.value != nil
  }

  /// Tags the device for the user of its seat, in place of an owner or a user's own group that
  /// udevd does not accept.
  func tagInstead(_ state: inout RuleFileState, _ effect: UdevRuleEffect) -> String? {
    guard
      effect.subject == .owner
        || effect.subject == .group && isPrivateGroup(effect.token.value)
    else { return nil }
    return replace(&state, effect.token, with: #"TAG+="uaccess""#)
  }

  /// Adds the directory to the name of a program that changes nodes.
  func writePath(_ state: inout RuleFileState, _ effect: UdevRuleEffect, _ name: String) -> String?
  {
    guard RuleProof.nodePrograms.contains(name) else { return nil }
    let part = effect.token.description
    let sign = "\(effect.token.comparison.rawValue)\""
    guard let start = part.utf8.firstPlace(of: sign.utf8) else { return nil }
    let command = part[start.upperBound...].drop { $0 == " " }
    return replace(&state, effect.token, with: part[..<start.upperBound] + "/usr/bin/" + command)
  }

  /// Adds a link to the node instead of renaming it.
  func writeLink(_ state: inout RuleFileState, _ token: UdevRuleToken) -> String? {
    replace(
      &state, token, with: "SYMLINK+=\"\(token.value.description.placing("\\", before: "\""))\"")
  }

  private func replace(
    _ state: inout RuleFileState, _ token: UdevRuleToken, with part: String
  ) -> String? {
    guard let changed = text(of: state)?.replacing(token, with: part) else { return nil }
    state.write(changed)
    return "replace \(token) with \(part)"
  }

  func writeMode(_ state: inout RuleFileState, _ effect: UdevRuleEffect) -> String? {
    guard let mode = RuleMode.octal(effect.token.value) else { return nil }
    return replace(
      &state, effect.token, with: "MODE\(effect.token.comparison.rawValue)\"\(mode)\"")
  }

  func correct(
    _ state: inout RuleFileState, _ mismatch: UdevRuleMismatch, _ proof: RuleProof
  ) -> String? {
    guard let text = text(of: state), let line = proof.line(at: state.place),
      !RuleTargets(facts: facts).isForOthers(line)
    else { return nil }
    let corrections = RuleCorrections(facts: facts, report: proof.report)
    let ofParents = line.tokens.filter(\.key.isOfParents)
    if ofParents.count > 1, RuleWords(facts: facts).isSatisfiedApart(ofParents),
      let title = byProperty(&state, ofParents)
    {
      return title
    }
    if mismatch.token.key.isOfParents,
      let title = singular(&state, text, line.tokens.filter(\.key.isOfParents), corrections)
    {
      return title
    }
    // If there is no such match, a line with the same match on a parent applies to all kinds of
    // nodes.
    let isForKind = line.tokens.contains { token in
      guard token.comparison != .unequal, let device = facts.device else { return false }
      return token.key == .subsystem && token.pattern.accepts((device.subsystem ?? "").bytes)
        || token.key == .kernel && token.pattern.accepts(device.name.bytes)
    }
    var best: (state: RuleFileState, title: String)?
    for candidate in corrections.candidates(for: mismatch)
    where candidate.text != mismatch.token.description {
      guard let changed = text.replacing(mismatch.token, with: candidate.text) else { continue }
      var next = state
      next.write(changed)
      if candidate.isSpelling, mismatch.token.key == .subsystem || isForKind {
        next.meant = next.meant?.replacing(text.part(of: mismatch.token), with: candidate.text)
      }
      let title =
        candidate.text.map { "replace \(mismatch.token) with \($0)" }
        ?? "remove \(mismatch.token)"
      let obstacle = RuleProof(next.applied(to: facts), action: action, next.place)?.obstacle
      switch obstacle {
      case nil:
        var bounded = next
        var unused: [String] = []
        guard bound(&bounded, &unused) else { continue }
        state = next
        return title
      case .failed(let other)
      where other.token == mismatch.token || other.token.description == candidate.text: continue
      case .absent: continue
      default: best = best ?? (next, title)
      }
    }
    if let best {
      state = best.state
      return best.title
    }
    return leaveOut(&state, text, mismatch, proof) ?? addOwn(&state, mismatch)
  }

  /// Replaces an attribute match with the property that a udev rule derives from the attribute.
  ///
  /// One parent must have all attributes of a line. This change is for a line whose attributes
  /// belong to two parents.
  private func byProperty(_ state: inout RuleFileState, _ tokens: [UdevRuleToken]) -> String? {
    for token in tokens.reversed() where token.key == .parentAttribute {
      guard let attribute = token.attribute, let property = Self.properties[attribute],
        let value = facts.record?.properties[property], token.pattern.accepts(value.bytes),
        let place = token.description.utf8.firstPlace(of: "==".utf8)
      else { continue }
      let part = "ENV{\(property)}" + token.description[place.lowerBound...]
      var next = state
      guard let title = replace(&next, token, with: part),
        let proof = RuleProof(next.applied(to: facts), action: action, next.place)
      else { continue }
      if case .failed(let other) = proof.obstacle, proof.laterCause(of: other) == nil { continue }
      state = next
      return title
    }
    return nil
  }

  /// The properties that udev's own rules (`usb_id`) derive from attributes.
  private static let properties: [UdevRuleText: UdevRuleText] = [
    "idVendor": "ID_VENDOR_ID", "idProduct": "ID_MODEL_ID", "serial": "ID_SERIAL_SHORT",
    "bInterfaceNumber": "ID_USB_INTERFACE_NUM",
  ]

  /// Replaces a match on a parent with a match on the device itself, if the device has the value.
  ///
  /// One parent must satisfy all parent matches of a line.
  private func singular(
    _ state: inout RuleFileState, _ text: RuleLineText, _ tokens: [UdevRuleToken],
    _ corrections: RuleCorrections
  ) -> String? {
    guard tokens.count > 1 else { return nil }
    for token in tokens {
      guard let candidate = corrections.ofDevice(token).first,
        let changed = text.replacing(token, with: candidate.text)
      else { continue }
      state.meant = state.meant?.replacing(text.part(of: token), with: candidate.text)
      state.write(changed)
      return "replace \(token) with \(candidate.text ?? "")"
    }
    return nil
  }

  /// Copies a line for this node.
  ///
  /// The original line does not change, because it is for another node of the hardware.
  func copy(
    _ state: inout RuleFileState, _ mismatch: UdevRuleMismatch, _ proof: RuleProof
  ) -> String? {
    guard !state.isAlone, [.subsystem, .kernel].contains(mismatch.token.key),
      let line = proof.line(at: state.place), RuleTargets(facts: facts).isForOtherNode(line)
    else { return nil }
    var next = state
    guard separate(&next) else { return nil }
    next.folder = "/etc/udev/rules.d"
    next.name = freeName(Self.stem(next.name) + "-own.rules", next)
    state = next
    return "copy the rule to a new file, \(next.name), and change the copy for this node"
  }

  /// Adds a rule for only this device, if the author's rule excludes it with `!=`.
  private func addOwn(_ state: inout RuleFileState, _ mismatch: UdevRuleMismatch) -> String? {
    guard mismatch.token.comparison == .unequal, !state.isAlone, let name = facts.device?.plainName
    else { return nil }
    var next = state
    guard separate(&next),
      let part = text(of: state)?.part(of: mismatch.token),
      let changed = next.text?.replacing(part, with: #"KERNEL=="\#(name)""#)
    else { return nil }
    next.write(changed)
    next.folder = "/etc/udev/rules.d"
    next.name = freeName(Self.stem(next.name) + "-own.rules", next)
    state = next
    return "put the rule for \(name) into a new file, \(next.name), because "
      + "\(mismatch.token) excludes it"
  }

  /// Removes a match if the parent that satisfies it is not the one that has the attributes.
  private func leaveOut(
    _ state: inout RuleFileState, _ text: RuleLineText, _ mismatch: UdevRuleMismatch,
    _ proof: RuleProof
  ) -> String? {
    guard mismatch.token.key.isOfParents else { return nil }
    let others: Set<UdevRuleKey> = [.parentKernel, .parentSubsystem, .parentDriver]
    for token in proof.line(at: state.place)?.tokens ?? [] where others.contains(token.key) {
      guard let changed = text.replacing(token, with: nil) else { continue }
      var next = state
      next.write(changed)
      let after = RuleProof(next.applied(to: facts), action: action, next.place)
      var bounded = next
      var unused: [String] = []
      guard let after, after.obstacle == nil, bound(&bounded, &unused) else { continue }
      state = next
      return "remove \(token), which matches another parent than \(mismatch.token)"
    }
    return nil
  }

  /// Moves a rule to a file that sorts earlier, and makes its assignments final.
  ///
  /// Only an earlier line can override a value that a line makes final with `:=`.
  func fix(
    _ state: inout RuleFileState, _ effect: UdevRuleEffect, before place: UdevRulePlace
  ) -> String? {
    guard [.owner, .group, .mode].contains(effect.subject), let text = text(of: state),
      let changed = text.fixing([effect.token.key.word])
    else { return nil }
    // Later lines would override the other values of a line that comes this early.
    for line in [changed, text.fixing(["OWNER", "GROUP", "MODE"]) ?? changed] {
      var next = state
      next.write(line)
      if let title = rename(&next, "so that udev reads it before \(place.path)") {
        state = next
        return title
      }
    }
    return nil
  }
}

extension UdevRuleText {
  /// A Boolean value that indicates whether groupadd(8) accepts the name.
  fileprivate var isAccountName: Bool {
    guard let first = bytes.first, bytes.count <= 32, !first.isDecimal else { return false }
    return bytes.allSatisfy {
      (0x61...0x7A).contains($0) || $0.isDecimal || $0 == .underscore || $0 == UInt8(ascii: "-")
    } && first != UInt8(ascii: "-")
  }
}

/// A mode in symbolic notation, although udev requires octal digits.
enum RuleMode {
  /// Returns the mode that letters represent, as octal digits.
  ///
  /// The letters are those of ls(1), such as `rw-rw----`, or of chmod(1), such as `u=rw,g=rw,o=`.
  /// The result is `nil` if they do not determine the whole mode.
  static func octal(_ text: UdevRuleText) -> String? {
    let bytes = text.bytes.trimming
    guard bytes.count <= 32, let mode = listed(bytes) ?? assigned(bytes) else { return nil }
    return "0" + String(mode, radix: 8)
  }

  /// Parses the form `rw-rw----`, with or without the letter of a file type.
  private static func listed(_ bytes: [UInt8]) -> UInt16? {
    let kinds = Array("-cb".utf8)
    guard bytes.count == 9 || (bytes.count == 10 && kinds.contains(bytes[0])) else { return nil }
    var mode: UInt16 = 0
    for (letter, expected) in zip(bytes.suffix(9), "rwxrwxrwx".utf8) {
      mode <<= 1
      if letter == expected { mode |= 1 } else if letter != UInt8(ascii: "-") { return nil }
    }
    return mode
  }

  /// Parses the form `u=rw,g=rw,o=` or `a=rw`, which must contain each class of users once.
  private static func assigned(_ bytes: [UInt8]) -> UInt16? {
    let shifts: [UInt8: [UInt16]] = [
      UInt8(ascii: "u"): [6], UInt8(ascii: "g"): [3], UInt8(ascii: "o"): [0],
      UInt8(ascii: "a"): [6, 3, 0],
    ]
    let bits: [UInt8: UInt16] = [UInt8(ascii: "r"): 4, UInt8(ascii: "w"): 2, UInt8(ascii: "x"): 1]
    var mode: UInt16 = 0
    var named: Set<UInt16> = []
    for clause in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard let sign = clause.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      var granted: UInt16 = 0
      for letter in clause[(sign + 1)...] {
        guard let bit = bits[letter] else { return nil }
        granted |= bit
      }
      for letter in clause[..<sign] {
        for shift in shifts[letter] ?? [] {
          guard named.insert(shift).inserted else { return nil }
          mode |= granted << shift
        }
        guard shifts[letter] != nil else { return nil }
      }
    }
    return named.count == 3 ? mode : nil
  }
}
