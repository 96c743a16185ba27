extension UdevRuleRun {
  /// Evaluates a `PROGRAM` match with the recorded output of the program, which is not run.
  mutating func runProgram(_ token: UdevRuleToken) -> UdevRuleMatch {
    let before = programResult
    let (match, result) = programRun(token)
    programResult = certainty == .yes ? result : before.joined(result, lineDoubt)
    return match
  }

  private mutating func programRun(
    _ token: UdevRuleToken
  ) -> (UdevRuleMatch, UdevRuleKnown<UdevRuleText?>) {
    let expansion = expand(token.value, limit: Limit.line)
    if expansion.isTruncated { return (UdevRuleMatch(.no), .value(nil)) }
    guard case .value(let command) = expansion.text else {
      return (unknown(expansion), .unknown(expansion.text.doubt ?? lineDoubt))
    }
    guard let run = environment.programs[command] else {
      return (.unknown(.program(command)), .unknown(.program(command)))
    }
    guard run.succeeds else { return (succeeded(token, false), .value(nil)) }
    var output = run.output.bytes
    while output.last == 10 { output.removeLast() }
    let text = UdevRuleCharacters.replaced(output, allowing: UdevRuleCharacters.input)
    return (succeeded(token, true), .value(UdevRuleText(text)))
  }

  mutating func importProgram(_ token: UdevRuleToken) -> UdevRuleMatch {
    let expansion = expand(token.value, limit: Limit.line)
    if expansion.isTruncated { return UdevRuleMatch(.no) }
    guard case .value(let command) = expansion.text,
      let run = environment.programs[command] ?? environment.builtins[command]
    else {
      let doubt = expansion.text.doubt ?? .program(expansion.text.known ?? "")
      doubtProperties(nil, doubt)
      return .unknown(doubt)
    }
    if run.succeeds {
      take(Self.assignments(run.output))
      take(run.properties.map { ($0.key, $0.value) })
    }
    return succeeded(token, run.succeeds)
  }

  private mutating func take(_ assignments: [(name: UdevRuleText, value: UdevRuleText)]) {
    for (name, value) in assignments { set(name, .value(value), certainty) }
  }

  mutating func importBuiltin(_ token: UdevRuleToken) -> UdevRuleMatch {
    guard let builtin = UdevRuleBuiltin(command: token.value.bytes) else {
      return UdevRuleMatch(.no)
    }
    if builtin.runsOnce, let earlier = builtins[builtin] {
      switch earlier {
      case .value(let isSuccess): return succeeded(token, isSuccess)
      case .unknown(let doubt): return .unknown(doubt)
      }
    }
    let (isSuccess, match) = run(builtin, token)
    builtins[builtin] = certainty == .yes ? isSuccess : .unknown(lineDoubt)
    return match
  }

  private mutating func run(
    _ builtin: UdevRuleBuiltin, _ token: UdevRuleToken
  ) -> (UdevRuleKnown<Bool>, UdevRuleMatch) {
    let expansion = expand(token.value, limit: Limit.line)
    if expansion.isTruncated { return (.value(true), UdevRuleMatch(.no)) }
    guard case .value(let command) = expansion.text, let run = environment.builtins[command] else {
      let doubt = expansion.text.doubt ?? .builtin(expansion.text.known ?? "")
      doubtProperties(builtin.prefixes, doubt)
      return (.unknown(doubt), .unknown(doubt))
    }
    take(run.properties.map { ($0.key, $0.value) })
    return (.value(run.succeeds), succeeded(token, run.succeeds))
  }

  mutating func importFile(_ token: UdevRuleToken) -> UdevRuleMatch {
    let expansion = expand(token.value, limit: Limit.path)
    if expansion.isTruncated { return UdevRuleMatch(.no) }
    guard case .value(let path) = expansion.text, let fact = environment.contents[path] else {
      let doubt = expansion.text.doubt ?? .file(expansion.text.known ?? "")
      doubtProperties(nil, doubt)
      return .unknown(doubt)
    }
    guard let text = fact.value else { return succeeded(token, false) }
    take(Self.assignments(text))
    return succeeded(token, true)
  }

  mutating func importDatabase(_ token: UdevRuleToken) -> UdevRuleMatch {
    // When a device is removed, its properties already include those in the database.
    guard !isRemoval else { return succeeded(token, false) }
    guard let record = event.record, !Self.derived.contains(token.value) else {
      set(token.value, .unknown(.database), certainty)
      return .unknown(.database)
    }
    var value = record.properties[token.value]
    if value == nil {
      // udevd reads from a copy of the device. Of the event's properties in the model, only
      // `ACTION` is not in the `uevent` file.
      let isCopied = token.value == "ACTION" ? environment.version.copiesEvents : true
      guard let isCopied else {
        set(token.value, .unknown(.version), certainty)
        return .unknown(.version)
      }
      if isCopied { value = event.device.properties[token.value] }
    }
    guard let value else { return succeeded(token, false) }
    set(token.value, .value(value), certainty)
    return succeeded(token, true)
  }

  /// The properties that udev derives from the tags, the links and the time of the first event.
  static let derived: Set<UdevRuleText> = ["TAGS", "CURRENT_TAGS", "DEVLINKS", "USEC_INITIALIZED"]

  mutating func importCommandLine(_ token: UdevRuleToken) -> UdevRuleMatch {
    guard let commandLine = environment.commandLine else {
      set(token.value, .unknown(.commandLine), certainty)
      return .unknown(.commandLine)
    }
    guard let value = Self.option(token.value, in: commandLine) else {
      return succeeded(token, false)
    }
    set(token.value, .value(value), certainty)
    return succeeded(token, true)
  }

  mutating func importParent(_ token: UdevRuleToken) -> UdevRuleMatch {
    let expansion = expand(token.value, limit: Limit.path)
    if expansion.isTruncated { return UdevRuleMatch(.no) }
    guard case .value(let pattern) = expansion.text else {
      let doubt = expansion.text.doubt ?? lineDoubt
      doubtProperties(nil, doubt)
      return .unknown(doubt)
    }
    guard let parent = event.parents.first else { return succeeded(token, false) }
    let glob = UdevRuleGlob(pattern: pattern.bytes, ignoresCase: false)
    let found = parent.properties.filter { glob.matches($0.key.bytes) }
    take(found.map { ($0.key, $0.value) })
    // A parent has these properties only if udev has handled it, or if it has tags or links.
    let mayHave = Self.derived.filter { glob.matches($0.bytes) && parent.properties[$0] == nil }
    for name in mayHave { set(name, .unknown(.database), certainty) }
    if !environment.version.needsParentProperty || !found.isEmpty { return succeeded(token, true) }
    return mayHave.isEmpty ? succeeded(token, false) : .unknown(.database)
  }
}
