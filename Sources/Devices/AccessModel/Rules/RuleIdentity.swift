internal import UdevRules

/// The vendor, model and names of a device, in the form in which rules match them.
struct RuleIdentity {
  /// The devices that a line is meant for.
  enum Tie: Hashable {
    /// This device: the line matches its model, its name or another identity.
    case own
    /// Devices whose names match a pattern, such as `hidraw*`.
    case kind
    /// Devices of the same subsystem.
    case subsystem
    /// A former name of this device or its subsystem: the names share a word, and no other device
    /// has the former name.
    case former
    /// Another model of the same vendor; the associated value is the match that differs.
    case sibling(UdevRuleToken)
    /// Other devices.
    case other
  }

  private enum Part { case vendor, product, model, detail }

  private struct Relation {
    let part: Part
    let holds: Bool
    /// A Boolean value that indicates whether the match has the vendor of the device.
    var isSameMaker = false
  }

  private let facts: RuleFacts
  /// The names of other devices.
  private let others: Set<UdevRuleText>
  private let name: UdevRuleText
  private let subsystem: UdevRuleText?
  /// The vendor and product IDs, in lowercase and without `0x`.
  private let vendors: Set<[UInt8]>
  private let products: Set<[UInt8]>
  /// The vendor and product IDs in each name on the path that has the form `0005:045E:0B13.0012`.
  private let models: [[[UInt8]]]

  init(_ facts: RuleFacts, others: Set<UdevRuleText> = []) {
    self.facts = facts
    self.others = others
    let device = facts.device
    let parts = facts.node.utf8.split(separator: UInt8(ascii: "/")).map { UdevRuleText(Array($0)) }
    name = device?.name ?? parts.last ?? ""
    subsystem = device?.subsystem ?? Self.folders[parts.dropFirst().first ?? ""]
    models = (device?.path.bytes ?? []).split(separator: .slash).compactMap { part in
      let groups = Self.numbers(Array(part)).groups
      return groups.count == 3 ? Array(groups.suffix(2)) : nil
    }
    var known = facts.record?.properties ?? [:]
    known.merge(device?.properties ?? [:]) { _, new in new }
    func numbers(_ names: [UdevRuleText], _ properties: [UdevRuleText]) -> Set<[UInt8]> {
      // The IDs of a USB device must not be mixed with those of its controller on the PCI bus.
      let attribute = names.lazy.compactMap { name in
        facts.chain.lazy.compactMap { $0.attributes[name]?.value }.first
      }.first
      let values = [attribute].compactMap(\.self) + properties.compactMap { known[$0] }
      return Set(values.map(RuleTargets.plain))
    }
    vendors = numbers(Self.vendorNames, Self.vendorProperties).union(models.map { $0[0] })
    products = numbers(Self.productNames, Self.productProperties).union(models.map { $0[1] })
  }

  /// The subsystems whose nodes are in a separate folder, keyed by the folder.
  private static let folders: [UdevRuleText: UdevRuleText] = [
    "snd": "sound", "input": "input", "dri": "drm",
  ]
  private static let vendorNames: [UdevRuleText] = ["idVendor", "id/vendor", "vendor"]
  private static let productNames: [UdevRuleText] = ["idProduct", "id/product", "device"]
  private static let vendorProperties: [UdevRuleText] = ["ID_VENDOR_ID", "ID_USB_VENDOR_ID"]
  private static let productProperties: [UdevRuleText] = ["ID_MODEL_ID", "ID_USB_MODEL_ID"]

  /// The vendor and product IDs as rules write them, such as `045e:0b13`; `nil` if unknown.
  var model: String? {
    if let pair = models.last { return Self.text(pair) }
    guard let vendor = vendors.first, let product = products.first, vendors.count == 1,
      products.count == 1
    else { return nil }
    return Self.text([vendor, product])
  }

  private static func text(_ pair: [[UInt8]]) -> String {
    pair.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ":")
  }

  // MARK: - Lines

  /// Returns the devices that a line is for.
  func tie(of line: UdevRuleLine) -> Tie {
    let tokens = line.tokens.filter { $0.key.isMatch && $0.comparison != .unequal }
    var holding: Set<Part> = []
    var differing: [(token: UdevRuleToken, relation: Relation)] = []
    for token in tokens {
      guard let relation = relation(token) else { continue }
      if relation.holds {
        holding.insert(relation.part)
      } else {
        differing.append((token, relation))
      }
    }
    let isWhole = holding.contains(.model) || holding.isSuperset(of: [.vendor, .product])
    for (token, relation) in differing {
      switch relation.part {
      case .vendor: return .other
      case .product, .model:
        return relation.isSameMaker || holding.contains(.vendor) ? .sibling(token) : .other
      case .detail where isWhole: continue
      case .detail: return holding.contains(.vendor) ? .sibling(token) : .other
      }
    }
    let isStatic = line.staticNodes.contains { facts.node == "/dev/" + $0.exact }
    return !holding.isEmpty || isStatic ? .own : tie(byName: tokens)
  }

  private func tie(byName tokens: [UdevRuleToken]) -> Tie {
    var tie = Tie.other
    var isFormer = false
    for token in tokens {
      switch token.key {
      case .kernel, .parentKernel:
        if token.pattern.exactTexts?.contains(name.bytes) == true { return .own }
        if token.pattern.accepts(name.bytes) {
          tie = .kind
        } else if isFormerName(token, of: name) {
          isFormer = true
        }
      case .subsystem, .parentSubsystem:
        // A rule may use the device name as a subsystem, because the kernel once had such a class.
        if token.pattern.exactTexts?.contains(name.bytes) == true { return .own }
        guard let subsystem, tie == .other else { continue }
        if token.pattern.accepts(subsystem.bytes) || RuleTargets.isMisspelt(token.value, subsystem)
        {
          tie = .subsystem
        } else if isFormerName(token, of: subsystem) {
          isFormer = true
        }
      default: continue
      }
    }
    return isFormer && tie != .kind ? .former : tie
  }

  /// Returns whether a match may contain a former name of the device or its subsystem.
  private func isFormerName(_ token: UdevRuleToken, of name: UdevRuleText) -> Bool {
    guard facts.device != nil, let wanted = token.pattern.exactTexts, wanted.count == 1,
      let former = wanted.first, !others.contains(UdevRuleText(former)),
      (former.last?.isDecimal ?? false) == (name.bytes.last?.isDecimal ?? false)
    else { return false }
    return Self.sharesWord(UdevRuleText(former), name)
  }

  /// Returns whether two names have a word of at least three letters in common.
  static func sharesWord(_ one: UdevRuleText, _ other: UdevRuleText) -> Bool {
    func words(_ name: UdevRuleText) -> Set<[UInt8]> {
      Set(name.bytes.split { !$0.isLatinLetter }.filter { $0.count > 2 }.map(Array.init))
    }
    return !words(one).isDisjoint(with: words(other))
  }

  /// Returns whether a line applies to a node without an observed device, according to the node's
  /// name.
  func holds(for line: UdevRuleLine) -> Bool {
    let isNamed = line.tokens.contains { $0.key == .kernel }
    return line.tokens.filter(\.key.isMatch).allSatisfy { token in
      switch token.key {
      case .kernel: token.pattern.accepts(name.bytes)
      case .subsystem: subsystem.map { token.pattern.accepts($0.bytes) } ?? isNamed
      case .action: token.pattern.accepts(Array("add".utf8))
      default: false
      }
    }
  }

  // MARK: - Matches

  /// Compares an identity match with the device; `nil` for any other match.
  private func relation(_ token: UdevRuleToken) -> Relation? {
    switch token.key {
    case .attribute, .parentAttribute:
      guard let name = token.attribute else { return nil }
      if Self.vendorNames.contains(name) { return number(token, name, vendors, .vendor) }
      if Self.productNames.contains(name) { return number(token, name, products, .product) }
      let values = facts.chain.compactMap { $0.attributes[name]?.value }
      guard let first = values.first, RuleTargets.isIdentity(name, first) else { return nil }
      return Relation(part: .detail, holds: values.contains { isMeant(token, $0) })
    case .property:
      guard let name = token.attribute, name.isIdentity else { return nil }
      if Self.vendorProperties.contains(name) { return number(token, nil, vendors, .vendor) }
      if Self.productProperties.contains(name) { return number(token, nil, products, .product) }
      guard let value = facts.record?.properties[name] ?? facts.device?.properties[name] else {
        return nil
      }
      return Relation(part: .detail, holds: isMeant(token, value))
    case .kernel, .parentKernel, .devicePath: return named(token)
    default: return nil
    }
  }

  /// Compares a match with the nearest device that has the attribute, because hubs have it as well.
  private func number(
    _ token: UdevRuleToken, _ name: UdevRuleText?, _ known: Set<[UInt8]>, _ part: Part
  ) -> Relation? {
    if let name, let value = facts.chain.lazy.compactMap({ $0.attributes[name]?.value }).first {
      let isOfBus = name == "vendor" || name == "device"
      guard !isOfBus || known.contains(RuleTargets.plain(value)) else {
        return known.isEmpty ? nil : Relation(part: part, holds: false)
      }
      return Relation(part: part, holds: isMeant(token, value))
    }
    guard !known.isEmpty || isAbsent(name) else { return nil }
    let wanted = token.value.bytes.split(separator: UInt8(ascii: "|")).map {
      RuleTargets.plain(UdevRuleText(Array($0)))
    }
    return Relation(
      part: part,
      holds: wanted.contains { known.contains($0) }
        || known.contains { token.pattern.accepts($0) })
  }

  /// Returns whether the device and its parents are known not to have an attribute.
  private func isAbsent(_ name: UdevRuleText?) -> Bool {
    guard let name, !facts.chain.isEmpty else { return false }
    return facts.chain.allSatisfy { $0.attribute(name) == .absent }
  }

  private func named(_ token: UdevRuleToken) -> Relation? {
    let parts = token.value.bytes.split(separator: UInt8(ascii: "|")).map { Array($0) }
    let wanted = parts.map(Self.numbers).filter { $0.groups.count > 1 }
    guard !wanted.isEmpty else {
      guard parts.contains(where: { String(decoding: $0, as: UTF8.self).isUSBPlace }) else {
        return nil
      }
      return Relation(
        part: .detail, holds: facts.chain.contains { token.pattern.accepts($0.name.bytes) })
    }
    var isSameMaker = false
    for numbers in wanted {
      let isOfMaker = numbers.groups.count == 2 && numbers.isOpen
      let vendor = numbers.groups[numbers.groups.count - (isOfMaker ? 1 : 2)]
      guard vendors.contains(vendor) else { continue }
      isSameMaker = true
      if isOfMaker { return Relation(part: .vendor, holds: true) }
      if numbers.groups.last.map(products.contains) ?? false {
        return Relation(part: .model, holds: true)
      }
    }
    return Relation(part: .model, holds: false, isSameMaker: isSameMaker)
  }

  /// Returns whether a match accepts a value, ignoring case and blanks.
  private func isMeant(_ token: UdevRuleToken, _ value: UdevRuleText) -> Bool {
    let shown = token.trimsFoundValue ? UdevRuleText(value.bytes.trimmingEnd) : value
    return token.pattern.accepts(shown.bytes)
      || token.value.bytes.split(separator: UInt8(ascii: "|")).contains {
        RuleTargets.isSame(UdevRuleText(Array($0)), value)
      }
  }

  /// Returns the groups of four hexadecimal digits that are separated by colons, in lowercase.
  ///
  /// `isOpen` indicates whether a colon follows the last group.
  private static func numbers(_ text: [UInt8]) -> (groups: [[UInt8]], isOpen: Bool) {
    var groups: [[UInt8]] = []
    var isOpen = false
    var start = 0
    func isDigit(_ byte: UInt8) -> Bool { byte.isDecimal || (0x61...0x66).contains(byte | 0x20) }
    while start < text.count {
      var end = start
      while end < text.count, isDigit(text[end]) { end += 1 }
      let isFollowed = end < text.count && text[end] == UInt8(ascii: ":")
      if end - start == 4, groups.isEmpty || isOpen {
        groups.append(text[start..<end].map(\.smallLetter))
        isOpen = isFollowed
      } else if groups.count > 1 {
        break
      } else {
        groups = []
        isOpen = false
      }
      start = end + 1
    }
    return (groups, isOpen)
  }
}
