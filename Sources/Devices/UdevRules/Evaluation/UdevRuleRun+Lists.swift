extension UdevRuleRun {
  mutating func assignTag(_ token: UdevRuleToken) {
    let expansion = expand(token.value, limit: Limit.path)
    if expansion.isTruncated { return }
    let checksLate = environment.version.checksTagsLate
    let isValid = expansion.text.known.map { isTag($0) } ?? true
    if token.comparison == .assign {
      tags.removeAll(certainty)
      currentTags.removeAll(certainty)
      overwrite(.tag)
    }
    guard isValid || (token.comparison == .remove && !checksLate) else { return }
    if token.comparison == .remove {
      currentTags.remove(expansion.text, certainty)
      record(token, .tag(expansion.text.known ?? ""), nil)
    } else {
      tags.add(expansion.text, certainty)
      currentTags.add(expansion.text, certainty)
      record(token, .tag(expansion.text.known ?? ""), expansion.text)
    }
  }

  private func isTag(_ text: UdevRuleText) -> Bool {
    text.bytes.allSatisfy {
      $0.isLatinLetter || $0.isDecimal || $0 == UInt8(ascii: "-") || $0 == .underscore
    } && (environment.version.checksTagsLate || !text.isEmpty)
  }

  mutating func assignLink(_ token: UdevRuleToken) {
    guard event.device.number != nil else { return }
    let effect = linkFixing.claim(
      fixes: token.comparison == .assignFinally, certainty, at: place)
    guard effect != .no else {
      record(token, .link(token.value), .value(token.value), effect, linkFixing)
      return
    }
    if token.comparison == .assign || token.comparison == .assignFinally {
      links.removeAll(effect)
      overwrite(.link)
    }
    let expansion = expand(token.value, limit: Limit.path, joinsBlanks: escaping != .none)
    if expansion.isTruncated { return }
    guard case .value(let text) = expansion.text else {
      links.add(expansion.text, effect)
      record(token, .link(token.value), expansion.text, effect, linkFixing)
      return
    }
    for name in names(text) {
      guard let path = linkPath(name) else { continue }
      if token.comparison == .remove {
        links.remove(.value(path), effect)
        record(token, .link(path), nil, effect, linkFixing)
      } else {
        links.add(.value(path), effect)
        record(token, .link(path), .value(path), effect, linkFixing)
      }
    }
  }

  /// Returns the names in a value, with disallowed characters replaced.
  private func names(_ text: UdevRuleText) -> [[UInt8]] {
    let bytes =
      switch escaping {
      case .usual: UdevRuleCharacters.replaced(text.bytes, allowing: [.slash, .space])
      case .replace: UdevRuleCharacters.replaced(text.bytes, allowing: [.slash])
      case .none: text.bytes
      }
    // Older versions split only at spaces, and skip other blanks at the beginning of a name.
    if environment.version.checksLinks {
      return bytes.split { $0.isBlank }.map(Array.init)
    }
    return bytes.split(separator: .space).compactMap { part in
      let name = Array(part.drop { $0.isBlank })
      return name.isEmpty ? nil : name
    }
  }

  /// Returns the path of a link; `nil` if udevd refuses the name.
  private func linkPath(_ name: [UInt8]) -> UdevRuleText? {
    let dev = Array("/dev/".utf8)
    guard environment.version.checksLinks else { return UdevRuleText(dev + name) }
    let path = name.first == .slash ? name : dev + name
    let parts = path.split(separator: .slash).filter { !$0.elementsEqual([UInt8(ascii: ".")]) }
    guard parts.count > 1, parts.first?.elementsEqual("dev".utf8) == true,
      !parts.contains(where: { $0.elementsEqual("..".utf8) || $0.count > 255 })
    else { return nil }
    return UdevRuleText([.slash] + Array(parts.joined(separator: [.slash])))
  }

  mutating func assignProperty(_ token: UdevRuleToken) {
    let name = token.attribute ?? ""
    if token.value.isEmpty {
      guard token.comparison != .add else { return }
      set(name, .value(nil), certainty)
      record(token, .property(name), nil)
      return
    }
    var prefix: [UInt8] = []
    if token.comparison == .add {
      switch property(name) {
      case .unknown(let doubt):
        set(name, .unknown(doubt), certainty)
        record(token, .property(name), .unknown(doubt))
        return
      case .value(let old):
        let daemon =
          environment.version.appendsToDaemonProperties
          ? environment.properties[name] : nil
        if let text = old ?? daemon { prefix = text.bytes + [.space] }
      }
      // There is no space left for the added text.
      if prefix.count >= Limit.name { return }
    }
    let expansion = expand(token.value, limit: Limit.name - prefix.count)
    if expansion.isTruncated { return }
    switch expansion.text {
    case .unknown(let doubt):
      set(name, .unknown(doubt), certainty)
      record(token, .property(name), .unknown(doubt))
    case .value(let text):
      let added =
        escaping == .replace ? UdevRuleCharacters.replaced(text.bytes, allowing: []) : text.bytes
      let value = kept(.value(UdevRuleText(prefix + added)))
      set(name, value, certainty)
      switch value {
      case .value(let text): record(token, .property(name), text.map { .value($0) })
      case .unknown(let doubt): record(token, .property(name), .unknown(doubt))
      }
    }
  }

  mutating func assignName(_ token: UdevRuleToken) {
    let effect = nameFixing.claim(
      fixes: token.comparison == .assignFinally, certainty, at: place)
    guard effect != .no, event.isInterface else { return }
    let expansion = expand(token.value, limit: Limit.path)
    if expansion.isTruncated { return }
    let value: UdevRuleKnown<UdevRuleText?> =
      switch expansion.text {
      case .unknown(let doubt): .unknown(doubt)
      case .value(let text): .value(escaping == .none ? text : interfaceText(text))
      }
    interfaceName = effect == .yes ? value : interfaceName.joined(value, lineDoubt)
    record(token, .interfaceName, expansion.text, effect, nameFixing)
  }

  private func interfaceText(_ text: UdevRuleText) -> UdevRuleText {
    let refused = Array(":/%".utf8)
    return UdevRuleText(
      text.bytes.map { (33...126).contains($0) && !refused.contains($0) ? $0 : .underscore })
  }

  mutating func assignLabel(_ token: UdevRuleToken) {
    let expansion = expand(token.value, limit: Limit.line)
    if expansion.isTruncated { return }
    if token.comparison == .assign {
      overwrite(.securityLabel)
    }
    let value = expansion.text.known?.isEmpty == true ? .value(token.value) : expansion.text
    record(token, .securityLabel(token.attribute ?? ""), value)
  }

  mutating func writeAttribute(_ token: UdevRuleToken) {
    let name = token.attribute ?? ""
    let expansion = expand(token.value, limit: Limit.name)
    var path = UdevRuleText(event.device.path.bytes + [.slash] + name.bytes)
    if case .device(let device, let rest) = reference(name.bytes) {
      path = UdevRuleText(device.path.bytes + (rest.map { [.slash] + $0.bytes } ?? []))
    }
    if expansion.isTruncated || path.bytes.count + 4 >= Limit.path { return }
    writtenAttributes.insert(path)
    record(token, .attribute(UdevRuleText(Array("/sys".utf8) + path.bytes)), expansion.text)
  }

  mutating func writeSetting(_ token: UdevRuleToken) {
    let name = expand(token.attribute ?? "", limit: Limit.path)
    let value = expand(token.value, limit: Limit.name)
    if name.isTruncated || value.isTruncated { return }
    let path = name.text.known.map { Self.settingPath($0.bytes) } ?? token.attribute ?? ""
    record(token, .setting(path), value.text)
  }

  mutating func addCommand(_ token: UdevRuleToken) {
    let effect = commandFixing.claim(
      fixes: token.comparison == .assignFinally, certainty, at: place)
    if effect == .yes, token.comparison != .add { report.commands = [] }
    let expansion = expand(token.value, limit: Limit.line)
    if expansion.isTruncated { return }
    record(token, .command, expansion.text, effect, commandFixing)
    guard effect != .no else { return }
    report.commands.append(
      UdevRuleReport.Command(
        text: expansion.text, isBuiltin: token.key == .runBuiltin, isCertain: effect == .yes,
        place: place))
  }
}
