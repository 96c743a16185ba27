internal import UdevRules

/// Redacts udev rules.
extension Redactor {
  func rules(_ rules: RuleFacts) -> RuleFacts {
    let files = rules.files.map { file in
      var redacted = RuleFile(
        folder: file.folder, name: text(file.name), state: file.state,
        bytes: ByteText(lines(ByteText(bytes: file.bytes).text, isOwn: file.isOwn)).bytes,
        owner: file.owner, modified: file.modified)
      redacted.problem = file.problem.map(sentence)
      return redacted
    }
    var redacted = RuleFacts(
      node: path(rules.node), files: files, version: rules.version,
      isVersionKnown: rules.isVersionKnown)
    redacted.device = rules.device.map(device)
    redacted.parents = rules.parents.map(device)
    redacted.record = rules.record.map { record in
      UdevRuleEvent.Record(
        properties: properties(record.properties), tags: Set(record.tags.map(word)),
        currentTags: record.currentTags.map { Set($0.map(word)) },
        links: Set(record.links.map(place)))
    }
    redacted.handled = rules.handled
    redacted.daemon = rules.daemon
    redacted.staticModule = rules.staticModule
    redacted.environment = environment(rules.environment)
    return redacted
  }

  /// Returns the environment of the rules without the kernel command line.
  ///
  /// The command line can contain arbitrary text, and no answer about permissions depends on it.
  private func environment(_ environment: UdevRuleEnvironment) -> UdevRuleEnvironment {
    var redacted = UdevRuleEnvironment(version: environment.version)
    redacted.settings = facts(environment.settings, path: place) { $0.mapped(word) }
    redacted.files = facts(environment.files, path: place) { $0 }
    redacted.users = facts(environment.users, path: word) { $0 }
    redacted.groups = facts(environment.groups, path: word) { $0 }
    redacted.devices = facts(environment.devices, path: word) { $0.mapped(device) }
    for (command, run) in environment.builtins {
      redacted.builtins[place(command)] = UdevRuleEnvironment.Run(
        succeeds: run.succeeds, properties: properties(run.properties))
    }
    return redacted
  }

  private func device(_ device: UdevRuleDevice) -> UdevRuleDevice {
    UdevRuleDevice(
      path: place(device.path), subsystem: device.subsystem, driver: device.driver,
      node: device.node.map(place), number: device.number,
      attributes: facts(device.attributes, path: { $0 }) { $0.mapped(word) },
      properties: properties(device.properties), tags: Set(device.tags.map(word)),
      currentTags: device.currentTags.map { Set($0.map(word)) })
  }

  private func facts<Value>(
    _ facts: [UdevRuleText: UdevRuleFact<Value>], path: (UdevRuleText) -> UdevRuleText,
    _ value: (UdevRuleFact<Value>) -> UdevRuleFact<Value>
  ) -> [UdevRuleText: UdevRuleFact<Value>] {
    Dictionary(
      facts.map { (path($0.key), value($0.value)) }, uniquingKeysWith: { first, _ in first })
  }

  private func properties(
    _ properties: [UdevRuleText: UdevRuleText]
  ) -> [UdevRuleText: UdevRuleText] {
    var redacted: [UdevRuleText: UdevRuleText] = [:]
    for (name, value) in properties {
      let text =
        AllowedWords.isHarmless(property: name.exact)
        ? sentence(value.exact) : placeholder(for: value.exact)
      redacted[word(name)] = UdevRuleText(exact: text)
    }
    return redacted
  }

  private func word(_ word: UdevRuleText) -> UdevRuleText {
    UdevRuleText(exact: text(word.exact))
  }

  private func place(_ place: UdevRuleText) -> UdevRuleText {
    UdevRuleText(exact: path(place.exact))
  }

  /// Returns the redacted content of a rules file.
  private func lines(_ text: String, isOwn: Bool) -> String {
    let text = addresses(text)
    guard isOwn else { return words(text) }
    return text.parts(at: "\n", omittingEmpty: false)
      .map { words(properties(in: $0)) }.joined(separator: "\n")
  }

  /// Returns a line without the values of properties that are not known to be harmless.
  private func properties(in line: Substring) -> String {
    var parts = line.parts(at: "\"", omittingEmpty: false).map(String.init)
    for index in stride(from: 1, to: parts.count, by: 2) {
      guard let name = parts[index - 1].nameOfProperty, !AllowedWords.isHarmless(property: name)
      else { continue }
      parts[index] = parts[index].parts(at: "|", omittingEmpty: false)
        .map { placeholder(forRuleValue: String($0)) ?? String($0) }.joined(separator: "|")
    }
    return parts.joined(separator: "\"")
  }

  /// Returns redacted rules, in which paths are delimited by quotes and other separators.
  private func words(_ text: String) -> String {
    var redacted = ""
    var part = ""
    for scalar in text.unicodeScalars {
      if RuleFacts.parting.contains(scalar) {
        redacted += part.utf8.contains(UInt8(ascii: "/")) ? path(part) : self.text(part)
        part = ""
        redacted.unicodeScalars.append(scalar)
      } else {
        part.unicodeScalars.append(scalar)
      }
    }
    return redacted + (part.utf8.contains(UInt8(ascii: "/")) ? path(part) : self.text(part))
  }
}

extension RuleFacts {
  /// The characters that separate paths from other text in a rule.
  static let parting: Set<Unicode.Scalar> = ["\"", "'", " ", "\t", "\n", "\r", ",", "=", ":", "|"]

  /// All texts that may be paths.
  var paths: [String] {
    let texts = files.flatMap { file in
      ByteText(bytes: file.bytes).text.unicodeScalars
        .split { Self.parting.contains($0) }.filter { $0.first == "/" }.map { String($0) }
    }
    let devices = chain.flatMap { [$0.path.exact, $0.node?.exact ?? ""] }
    return [node] + devices + texts + (record?.links.sorted().map(\.exact) ?? [])
  }

  /// All texts, other than paths, that may contain an identifier.
  var texts: [String] {
    let devices = chain + environment.devices.values.compactMap(\.value)
    let found = devices.flatMap { device in
      device.attributes.values.compactMap { $0.value?.exact }
        + device.properties.values.map(\.exact)
    }
    // Files from packages contain no machine-specific names.
    let own = files.filter { !$0.folder.hasPrefix("/usr/lib/") && !$0.folder.hasPrefix("/lib/") }
    return own.map { ByteText(bytes: $0.bytes).text } + found.sorted()
  }

  /// The users and groups that the administrator's own rules set on nodes, with their IDs.
  var ownOwners: [(name: String, isGroup: Bool, id: UInt32?)] {
    var owners: [(name: String, isGroup: Bool, id: UInt32?)] = []
    for token in ownTokens where token.value.exact.isTelling {
      switch token.key {
      case .owner, .ownerID:
        owners.append((token.value.exact, false, environment.users[token.value]?.value))
      case .group, .groupID:
        owners.append((token.value.exact, true, environment.groups[token.value]?.value))
      default: continue
      }
    }
    return owners
  }

  /// The values of properties that the administrator's own rules compare or set, keyed by property
  /// name.
  var ownProperties: [String: [String]] {
    var properties: [String: [String]] = [:]
    for token in ownTokens where token.key == .property || token.key == .setProperty {
      guard let name = token.attribute?.exact else { continue }
      let values = token.value.exact.parts(at: "|").map(String.init)
      properties[name, default: []] += values.filter(\.isTelling)
    }
    return properties
  }

  private var ownTokens: [UdevRuleToken] { ownFiles.flatMap(\.lines).flatMap(\.tokens) }

  /// The serial numbers of the device and its parents, and those in the rules.
  var serials: [String] {
    let names: Set<UdevRuleText> = ["serial", "ID_SERIAL_SHORT", "ID_USB_SERIAL_SHORT"]
    let found = chain.flatMap { device in
      names.compactMap { device.attributes[$0]?.value ?? device.properties[$0] }
    }
    let named = rules.files.flatMap(\.lines).flatMap(\.tokens)
      .filter { $0.key.isMatch && names.contains($0.attribute ?? "") }.map(\.value)
    return Set((found + named).map(\.exact)).filter { serial in
      serial.utf8.count >= 6 && !serial.contains { "*?[]|$%{}".contains($0) }
    }.sorted()
  }
}

extension UdevRuleFact {
  fileprivate func mapped(_ change: (Value) -> Value) -> UdevRuleFact {
    switch self {
    case .present(let value): .present(change(value))
    case .absent: .absent
    }
  }
}

extension String {
  /// A Boolean value that indicates whether the string may name a person or an object.
  ///
  /// Such a string has letters, and neither wildcards nor substitutions of udev.
  fileprivate var isTelling: Bool {
    contains(where: \.isLetter) && !contains { "*?[]$%{}".contains($0) }
  }

  /// The name of the property whose value follows the text in a rule.
  ///
  /// For example, the name after `TAG=="a", ENV{NAME}==` is `NAME`.
  fileprivate var nameOfProperty: String? {
    guard let end = lastIndex(of: "}"),
      self[end...].dropFirst().allSatisfy({ " \t=!+:-ei".contains($0) }),
      let start = self[..<end].lastIndex(of: "{"), self[..<start].hasSuffix("ENV")
    else { return nil }
    return String(self[start..<end].dropFirst())
  }
}
