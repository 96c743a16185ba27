extension UdevRuleRun {
  /// The sizes of udevd's buffers, including the byte that terminates the text.
  enum Limit {
    /// The C constant is `UDEV_NAME_SIZE`.
    static let name = 512
    /// The C constant is `UDEV_PATH_SIZE`.
    static let path = 1024
    /// The C constant is `UDEV_LINE_SIZE`.
    static let line = 16384
  }

  /// A value after its substitutions have been replaced.
  struct Expansion {
    var text: UdevRuleKnown<UdevRuleText>
    /// A Boolean value that indicates whether the text is too long, in which case udevd does not
    /// use it.
    var isTruncated = false
  }

  private enum Replacement {
    case text([UInt8], isTruncated: Bool = false)
    /// The substitution is invalid and ends the text.
    case end
    case unknown(UdevRuleDoubt)
  }

  /// Replaces the substitutions in a value.
  mutating func expand(_ value: UdevRuleText, limit: Int, joinsBlanks: Bool = false) -> Expansion {
    guard UdevRuleSubstitution.isNeeded(in: value.bytes) else {
      return value.bytes.count < limit
        ? Expansion(text: .value(value)) : Expansion(text: .value(value), isTruncated: true)
    }
    var bytes: [UInt8] = []
    var isTruncated = false
    for piece in UdevRuleSubstitution.pieces(value.bytes).pieces {
      switch piece {
      case .byte(let byte):
        guard bytes.count + 1 < limit else {
          return Expansion(text: .value(UdevRuleText(bytes)), isTruncated: true)
        }
        bytes.append(byte)
      case .substitution(let kind, let argument):
        switch replacement(kind, argument) {
        case .end:
          return Expansion(text: .value(UdevRuleText(bytes)), isTruncated: isTruncated)
        case .unknown(let doubt):
          return Expansion(text: .unknown(doubt))
        case .text(let text, let isCut):
          let room = limit - bytes.count
          isTruncated = isTruncated || isCut || text.count >= room
          let part = Array(text.prefix(room - 1))
          bytes += joinsBlanks && kind != .result ? UdevRuleCharacters.joined(part) : part
        }
      }
    }
    return Expansion(text: .value(UdevRuleText(bytes)), isTruncated: isTruncated)
  }

  private mutating func replacement(_ kind: UdevRuleSubstitution, _ argument: [UInt8])
    -> Replacement
  {
    let device = event.device
    switch kind {
    case .devicePath: return .text(device.path.bytes)
    case .kernel: return .text(device.name.bytes)
    case .number: return .text(device.instance?.bytes ?? [])
    case .node: return .text(device.node?.bytes ?? [])
    case .root: return .text(Array("/dev".utf8))
    case .sys: return .text(Array("/sys".utf8))
    case .major: return .text(Array(String(device.number?.major ?? 0).utf8))
    case .minor: return .text(Array(String(device.number?.minor ?? 0).utf8))
    case .id: return ofParent { $0.name.bytes }
    case .driver: return ofParent { $0.driver?.bytes ?? [] }
    case .parent: return .text(event.parents.first?.node?.dropping("/dev/")?.bytes ?? [])
    case .name:
      switch interfaceName {
      case .unknown(let doubt): return .unknown(doubt)
      case .value(let name?): return .text(name.bytes)
      case .value(nil): return .text((device.node?.dropping("/dev/") ?? device.name).bytes)
      }
    case .links:
      guard links.isKnown, links.count < 2 else { return .unknown(links.others ?? .order) }
      return .text(links.only?.dropping("/dev/")?.bytes ?? [])
    case .property:
      guard !argument.isEmpty else { return .end }
      switch property(UdevRuleText(argument)) {
      case .unknown(let doubt): return .unknown(doubt)
      case .value(let text): return .text(text?.bytes ?? [])
      }
    case .attribute: return attribute(argument)
    case .result: return result(argument)
    }
  }

  private func ofParent(_ text: (UdevRuleDevice) -> [UInt8]) -> Replacement {
    switch parent {
    case .unknown(let doubt): .unknown(doubt)
    case .value(let index): .text(index.map { text(chain[$0]) } ?? [])
    }
  }

  /// Returns an attribute of the device that the argument names, of the event's device, or of the
  /// parent that the matches found.
  private mutating func attribute(_ argument: [UInt8]) -> Replacement {
    guard !argument.isEmpty else { return .end }
    switch reference(argument) {
    case .unknown(let doubt):
      return .unknown(doubt)
    case .device(let device, let rest?):
      switch attribute(rest, of: device) {
      case .unknown(let doubt): return .unknown(doubt)
      case .value(let fact): return allowed(fact.value?.bytes ?? [], isCut: false)
      }
    case .none, .missing, .device:
      break
    }
    let name = UdevRuleText(argument)
    switch attribute(name, of: event.device) {
    case .unknown(let doubt): return .unknown(doubt)
    case .value(.present(let text)): return allowed(text.bytes, isCut: true)
    case .value(.absent): break
    }
    switch parent {
    case .unknown(let doubt):
      return .unknown(doubt)
    case .value(let index):
      guard let index, index > 0 else { return .text([]) }
      switch attribute(name, of: chain[index]) {
      case .unknown(let doubt): return .unknown(doubt)
      case .value(let fact): return allowed(fact.value?.bytes ?? [], isCut: true)
      }
    }
  }

  private func allowed(_ text: [UInt8], isCut: Bool) -> Replacement {
    let part = Array(text.prefix(Limit.name - 1)).trimmingEnd
    return .text(
      UdevRuleCharacters.replaced(part, allowing: UdevRuleCharacters.input),
      isTruncated: isCut && text.count >= Limit.name)
  }

  /// Returns the output of the last program, or a part of it.
  private func result(_ argument: [UInt8]) -> Replacement {
    switch programResult {
    case .unknown(let doubt):
      return .unknown(doubt)
    case .value(nil):
      return .text([])
    case .value(let text?):
      guard !argument.isEmpty else { return .text(text.bytes) }
      guard let (index, isOpen) = UdevRuleNumber.part(argument) else { return .end }
      guard index > 0 else { return .text(text.bytes) }
      var rest = text.bytes.drop { $0.isBlank }
      var passed: UInt32 = 1
      while passed < index, !rest.isEmpty {
        rest = rest.drop { !$0.isBlank }.drop { $0.isBlank }
        passed += 1
      }
      return .text(Array(isOpen ? rest : rest.prefix { !$0.isBlank }))
    }
  }
}
