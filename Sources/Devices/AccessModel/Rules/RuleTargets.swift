internal import UdevRules

/// Determines whether the parts of a line identify the device in question.
struct RuleTargets {
  let facts: RuleFacts

  /// Returns a Boolean value that indicates whether a line names only devices of another kind.
  func isForOthers(_ line: UdevRuleLine) -> Bool {
    line.tokens.contains(where: namesOthers) && !line.tokens.contains(where: names)
      && ![.own, .former].contains(RuleIdentity(facts).tie(of: line))
  }

  /// Returns a Boolean value that indicates whether a line is for another node of the hardware.
  ///
  /// An example is the raw USB node of a device that also has a hidraw node: the line takes effect
  /// on that node.
  func isForOtherNode(_ line: UdevRuleLine) -> Bool {
    guard let device = facts.device, let own = device.subsystem else { return false }
    let matches = line.tokens.filter { $0.key.isMatch && $0.comparison != .unequal }
    guard let wanted = matches.first(where: { $0.key == .subsystem }),
      !wanted.pattern.accepts(own.bytes), !Self.isMisspelt(wanted.value, own)
    else { return false }
    if own == "usb" {
      guard Self.madeFromUSB.contains(where: { wanted.pattern.accepts($0.bytes) }) else {
        return false
      }
      let isNamed = matches.contains { $0.key == .kernel && !$0.pattern.accepts(device.name.bytes) }
      let interfaces = facts.record?.properties["ID_USB_INTERFACES"]?.exact ?? ""
      return isNamed || wanted.pattern.accepts(Array("hidraw".utf8)) && interfaces.contains(":03")
    }
    return facts.parents.contains { parent in
      wanted.pattern.accepts((parent.subsystem ?? "").bytes)
        && parent.properties["DEVTYPE"] == "usb_device"
        && matches.allSatisfy { token in
          token.key != .kernel || token.pattern.accepts(parent.name.bytes)
        }
    }
  }

  /// The subsystems that create nodes for USB devices.
  private static let madeFromUSB: [UdevRuleText] = [
    "block", "hidraw", "input", "sound", "tty", "usbmisc", "video4linux",
  ]

  /// Returns a Boolean value that indicates whether a match is for devices of another kind.
  private func namesOthers(_ token: UdevRuleToken) -> Bool {
    guard token.comparison != .unequal, let device = facts.device else { return false }
    let own = device.subsystem ?? ""
    switch token.key {
    case .subsystem: return !token.pattern.accepts(own.bytes) && !Self.isMisspelt(token.value, own)
    case .parentSubsystem:
      return !facts.chain.contains { token.pattern.accepts(($0.subsystem ?? "").bytes) }
        && !Self.isMisspelt(token.value, own)
    case .kernel, .parentKernel:
      return !facts.chain.contains { token.pattern.accepts($0.name.bytes) }
        && !Self.isLike(token.value, device.name)
    default: return false
    }
  }

  /// Returns a Boolean value that indicates whether a match names this device or a parent.
  ///
  /// It must hold for few other devices. A value that differs only in spelling counts.
  private func names(_ token: UdevRuleToken) -> Bool {
    guard token.comparison != .unequal, token.value.bytes.contains(where: \.isLetterOrDigit),
      let device = facts.device
    else { return false }
    switch token.key {
    case .kernel, .parentKernel:
      return facts.chain.contains { token.pattern.accepts($0.name.bytes) }
        || Self.isLike(token.value, device.name)
    case .attribute, .parentAttribute:
      guard let name = token.attribute else { return false }
      return facts.chain.contains { device in
        guard let value = device.attributes[name]?.value else { return false }
        return Self.isIdentity(name, value)
          && (token.pattern.accepts(value.bytes) || Self.isSame(token.value, value))
      }
    case .property:
      guard let name = token.attribute, name.isIdentity,
        let value = facts.record?.properties[name] ?? device.properties[name]
      else { return false }
      return token.pattern.accepts(value.bytes) || Self.isSame(token.value, value)
    case .devicePath: return token.pattern.accepts(device.path.bytes)
    default: return false
    }
  }

  // MARK: - Values

  /// Returns a Boolean value that indicates whether an attribute's value identifies a product.
  ///
  /// Values that describe a class do not.
  static func isIdentity(_ name: UdevRuleText, _ value: UdevRuleText) -> Bool {
    let isOfClass = ["bInterface", "bDevice", "bNum", "bm", "bcd", "class"].contains {
      name.bytes.starts(with: $0.utf8)
    }
    return !isOfClass && value.bytes.trimming.count > 2
  }

  /// Returns a Boolean value that indicates whether two values differ only in case, blanks or `0x`.
  static func isSame(_ one: UdevRuleText, _ other: UdevRuleText) -> Bool {
    plain(one) == plain(other)
  }

  /// Returns the value in lowercase, without blanks around it and without `0x`.
  static func plain(_ value: UdevRuleText) -> [UInt8] {
    let small = value.bytes.trimming.map(\.smallLetter)
    return small.starts(with: "0x".utf8) ? Array(small.dropFirst(2)) : small
  }

  /// Returns a Boolean value that indicates whether two subsystems differ at most in one letter.
  ///
  /// Case, blanks and `0x` do not count.
  static func isMisspelt(_ wanted: UdevRuleText, _ own: UdevRuleText) -> Bool {
    isSame(wanted, own)
      || (own.bytes.count > 4 && LetterDistance.isAtMostOne(wanted.bytes, own.bytes))
  }

  /// Returns a Boolean value that indicates whether a name begins like the device name.
  ///
  /// For example, `video` and `/dev/video1` match `video0`.
  private static func isLike(_ wanted: UdevRuleText, _ name: UdevRuleText) -> Bool {
    let letters = name.bytes.prefix(while: \.isLatinLetter)
    let base =
      wanted.bytes.lastIndex(of: .slash).map { wanted.bytes[($0 + 1)...] }
      ?? wanted.bytes[...]
    return letters.count > 1 && base.prefix(while: \.isLatinLetter) == letters
  }
}

extension UdevRuleText {
  /// A Boolean value that indicates whether a property identifies one piece of hardware.
  var isIdentity: Bool {
    [
      "ID_VENDOR", "ID_MODEL", "ID_SERIAL", "ID_PATH", "ID_NAME", "ID_V4L_PRODUCT", "PRODUCT",
      "MODALIAS", "DEVNAME", "DEVPATH", "MINOR", "NAME", "UNIQ", "PHYS", "HID_NAME", "HID_ID",
      "HID_UNIQ", "HID_PHYS",
    ].contains { bytes.starts(with: $0.utf8) }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool { isLatinLetter || isDecimal }
}

/// Compares words that may be misspelled.
enum LetterDistance {
  /// Returns whether two words differ at most in one letter that is changed, omitted or added, or
  /// in two adjacent letters that are swapped.
  static func isAtMostOne(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let start = zip(one, other).prefix { $0 == $1 }.count
    let first = Array(one[start...])
    let second = Array(other[start...])
    if first.count == second.count {
      return first.dropFirst() == second.dropFirst()
        || (first.count > 1 && first[0] == second[1] && first[1] == second[0]
          && first.dropFirst(2) == second.dropFirst(2))
    }
    return first.count > second.count
      ? first.dropFirst() == second[...] : second.dropFirst() == first[...]
  }
}
