/// The result of a match.
struct UdevRuleMatch {
  let result: UdevRuleCertainty
  var found: UdevRuleText?
  var doubt: UdevRuleDoubt?

  init(_ result: UdevRuleCertainty, found: UdevRuleText? = nil, doubt: UdevRuleDoubt? = nil) {
    self.result = result
    self.found = found
    self.doubt = doubt
  }

  static func unknown(_ doubt: UdevRuleDoubt) -> UdevRuleMatch {
    UdevRuleMatch(.maybe, doubt: doubt)
  }
}

extension UdevRuleRun {
  /// Evaluates a match against the device or one of its parents.
  mutating func match(_ token: UdevRuleToken, at index: Int) -> UdevRuleMatch {
    switch token.key {
    case .action: return compare(token, event.action)
    case .devicePath: return compare(token, chain[index].path)
    case .kernel, .parentKernel: return compare(token, names[index])
    case .subsystem, .parentSubsystem: return compare(token, chain[index].subsystem ?? "")
    case .driver, .parentDriver: return compare(token, chain[index].driver ?? "")
    case .name: return compare(token, interfaceName)
    case .property:
      let name = token.attribute ?? ""
      switch property(name) {
      case .value(nil): return compare(token, environment.properties[name] ?? "")
      case let value: return compare(token, value)
      }
    case .constant:
      guard let value = environment.constants[token.attribute ?? ""] else {
        return .unknown(.constant(token.attribute ?? ""))
      }
      return compare(token, value)
    case .result: return compare(token, programResult)
    case .link:
      return compare(token, links, below: "/dev/")
    case .tag: return matchTags(token)
    case .parentTag:
      guard index > 0 else { return matchTags(token) }
      return matchTags(
        token, all: UdevRuleMembers(chain[index].tags),
        current: Self.current(chain[index].currentTags, among: chain[index].tags))
    case .attribute, .parentAttribute: return matchAttribute(token, chain[index])
    case .sysctl: return matchSetting(token)
    case .test: return matchFile(token)
    case .waitFor: return matchFile(token)
    case .program: return runProgram(token)
    case .importProgram: return importProgram(token)
    case .importBuiltin: return importBuiltin(token)
    case .importFile: return importFile(token)
    case .importDatabase: return importDatabase(token)
    case .importCommandLine: return importCommandLine(token)
    case .importParent: return importParent(token)
    default: return UdevRuleMatch(.yes)
    }
  }

  private func compare(_ token: UdevRuleToken, _ text: UdevRuleText) -> UdevRuleMatch {
    UdevRuleMatch(UdevRuleCertainty(token.pattern.accepts(text.bytes)), found: text)
  }

  private func compare(_ token: UdevRuleToken, _ value: UdevRuleKnown<UdevRuleText?>)
    -> UdevRuleMatch
  {
    switch value {
    case .value(let text): compare(token, text ?? "")
    case .unknown(let doubt): .unknown(doubt)
    }
  }

  /// Evaluates a match against the current tags of the device, or against all its tags.
  ///
  /// udevd treats all tags as current unless it knows the format in which tags are stored. The
  /// database entry that it reads when a device is removed contains the format. In newer versions,
  /// so does the message from one process to another. An event from the kernel does not.
  private func matchTags(_ token: UdevRuleToken) -> UdevRuleMatch {
    let version = environment.version
    if isRemoval || version.tellsAllProcesses {
      return matchTags(token, all: tags, current: currentTags)
    }
    let everything = compare(token, tags)
    guard version.tellsWaitingProcesses, environment.isNewProcess != true else { return everything }
    let reported = matchTags(token, all: tags, current: currentTags)
    if environment.isNewProcess == false || reported.result == everything.result { return reported }
    return UdevRuleMatch(.maybe, found: reported.found, doubt: reported.doubt ?? .process)
  }

  /// Evaluates a match against tags if it is known which are current.
  private func matchTags(
    _ token: UdevRuleToken, all: UdevRuleMembers, current: UdevRuleMembers
  ) -> UdevRuleMatch {
    let everything = compare(token, all)
    let reported = compare(token, current)
    switch environment.version.matchesCurrentTags {
    case true: return reported
    case false: return everything
    case nil where reported.result == everything.result: return reported
    case nil: return UdevRuleMatch(.maybe, found: reported.found, doubt: .version)
    }
  }

  /// Compares a match with a list: `==` holds if any member matches, and `!=` holds if none does.
  ///
  /// In older releases, `!=` holds only if all members match, or if the list is empty.
  private func compare(
    _ token: UdevRuleToken, _ members: UdevRuleMembers, below folder: UdevRuleText? = nil
  ) -> UdevRuleMatch {
    func name(_ member: UdevRuleText) -> UdevRuleText {
      folder.map { member.dropping($0) ?? "" } ?? member
    }
    // Literal values are looked up directly, because thousands of lines may each search thousands
    // of members.
    let named = Self.named(token, below: folder)
    let found =
      named.map { $0.reduce(.no) { max($0, members.contains($1)) } }
      ?? members.contains { token.pattern.matches(name($0).bytes) }
    var result = found
    var doubt = members.others ?? lineDoubt
    if token.pattern.isNegated {
      let isNone = found.negated
      // This is slow for many members, and newer releases do not need it.
      func isAll() -> UdevRuleCertainty {
        let others =
          named.map { members.contains(otherThan: $0) }
          ?? members.contains { !token.pattern.matches(name($0).bytes) }
        return others.negated
      }
      switch environment.version.matchesNoneOfSeveral {
      case true: result = isNone
      case false: result = isAll()
      case nil where isNone == isAll(): result = isNone
      case nil:
        result = .maybe
        doubt = .version
      }
    }
    return UdevRuleMatch(
      result, found: Self.list(members, name), doubt: result == .maybe ? doubt : nil)
  }

  /// Returns the members that a match lists literally; `nil` if it may match others.
  private static func named(
    _ token: UdevRuleToken, below folder: UdevRuleText?
  ) -> Set<UdevRuleText>? {
    guard let texts = token.pattern.exactTexts else { return nil }
    guard let folder else { return Set(texts.map { UdevRuleText($0) }) }
    // A member that is not below the folder has an empty name.
    if texts.contains([]) { return nil }
    return Set(texts.map { UdevRuleText(folder.bytes + $0) })
  }

  /// The maximum number of members to list for a match that fails.
  private static let mostNamed = 256

  private static func list(
    _ members: UdevRuleMembers, _ text: (UdevRuleText) -> UdevRuleText
  ) -> UdevRuleText {
    if members.count > mostNamed { return "\(members.count) names" }
    let names = members.certain.map(text).sorted()
    return UdevRuleText(Array(names.map(\.bytes).joined(separator: [.space])))
  }

  private mutating func matchAttribute(_ token: UdevRuleToken, _ device: UdevRuleDevice)
    -> UdevRuleMatch
  {
    var name = token.attribute ?? ""
    var value: UdevRuleKnown<UdevRuleFact<UdevRuleText>>
    if name.bytes.first == UInt8(ascii: "[") {
      switch reference(name.bytes) {
      case .none, .missing, .device(_, rest: nil): return UdevRuleMatch(.no)
      case .unknown(let doubt): return .unknown(doubt)
      case .device(let other, let rest?):
        value = attribute(rest, of: other)
        // For a device in brackets, a missing attribute is equivalent to an empty one.
        if value == .value(.absent) { value = .value(.present("")) }
      }
    } else {
      let expansion = expand(name, limit: Limit.name)
      if expansion.isTruncated { return UdevRuleMatch(.no) }
      switch expansion.text {
      case .unknown(let doubt): return .unknown(doubt)
      case .value(let text): name = text
      }
      value = attribute(name, of: device)
    }
    switch value {
    case .unknown(let doubt): return .unknown(doubt)
    // If the attribute is missing, the match fails even with `!=`.
    case .value(.absent): return UdevRuleMatch(.no)
    case .value(.present(let text)):
      guard token.trimsFoundValue else { return compare(token, text) }
      let compared = Array(text.bytes.prefix(Limit.name - 1)).trimmingEnd
      // The found value is not trimmed, because blanks at its end count if the wanted value has
      // some.
      return UdevRuleMatch(UdevRuleCertainty(token.pattern.accepts(compared)), found: text)
    }
  }

  private mutating func matchSetting(_ token: UdevRuleToken) -> UdevRuleMatch {
    let expansion = expand(token.attribute ?? "", limit: Limit.path)
    if expansion.isTruncated { return UdevRuleMatch(.no) }
    guard case .value(let text) = expansion.text else { return unknown(expansion) }
    let path = Self.settingPath(text.bytes)
    guard let fact = environment.settings[path] else { return .unknown(.setting(path)) }
    return compare(token, UdevRuleText(fact.value?.bytes.trimming ?? []))
  }

  private mutating func matchFile(_ token: UdevRuleToken) -> UdevRuleMatch {
    let expansion = expand(token.value, limit: Limit.path)
    if expansion.isTruncated { return UdevRuleMatch(.no) }
    guard case .value(var path) = expansion.text else { return unknown(expansion) }
    if path.bytes.first != .slash {
      switch reference(path.bytes) {
      case .unknown(let doubt):
        return .unknown(doubt)
      case .device(let device, let rest):
        path = UdevRuleText(
          Array("/sys".utf8) + device.path.bytes + (rest.map { [.slash] + $0.bytes } ?? []))
      case .none, .missing:
        path = UdevRuleText(Array("/sys".utf8) + event.device.path.bytes + [.slash] + path.bytes)
      }
      if path.bytes.count >= Limit.path { return UdevRuleMatch(.no) }
    }
    guard let fact = environment.files[path] else { return .unknown(.file(path)) }
    guard let mode = fact.value else { return succeeded(token, false) }
    guard let wanted = token.number else { return succeeded(token, true) }
    return succeeded(token, Int64(mode) & wanted != 0)
  }

  /// Returns the result of a match that succeeds or fails instead of comparing a value.
  func succeeded(_ token: UdevRuleToken, _ isSuccess: Bool) -> UdevRuleMatch {
    UdevRuleMatch(UdevRuleCertainty(isSuccess == token.wantsSuccess))
  }

  func unknown(_ expansion: Expansion) -> UdevRuleMatch {
    .unknown(expansion.text.doubt ?? lineDoubt)
  }
}
