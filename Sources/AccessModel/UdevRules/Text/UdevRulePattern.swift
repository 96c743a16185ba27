/// What the value of a match stands for: alternatives between bars, each plain text or a pattern.
struct UdevRulePattern: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case empty
    case plain
    case glob
    /// `subsystem`, `class` and `bus` are one and the same to SUBSYSTEM.
    case subsystem
  }

  let kind: Kind
  let alternatives: [[UInt8]]
  let acceptsEmpty: Bool
  let ignoresCase: Bool
  /// Whether the operator is `!=`, or `==` with the value `?*`, which udevd turns around.
  let isNegated: Bool

  init(_ value: [UInt8], isNegated: Bool, ignoresCase: Bool, isSubsystem: Bool, isSplit: Bool) {
    var negated = isNegated
    if isSubsystem, Self.subsystems.contains(value) {
      kind = .subsystem
    } else if value.isEmpty {
      kind = .empty
    } else if value == Self.something {
      kind = .empty
      negated.toggle()
    } else {
      kind = UdevRuleGlob.isGlob(value) ? .glob : .plain
    }
    self.isNegated = negated
    self.ignoresCase = ignoresCase
    guard isSplit, value.contains(Self.bar) else {
      alternatives = [value]
      acceptsEmpty = false
      return
    }
    let parts = value.split(separator: Self.bar, omittingEmptySubsequences: false)
    alternatives = parts.filter { !$0.isEmpty }.map(Array.init)
    acceptsEmpty = parts.contains(where: \.isEmpty)
  }

  /// Whether the text is what the value stands for, whatever the operator.
  func matches(_ text: [UInt8]) -> Bool {
    switch kind {
    case .empty:
      return text.isEmpty
    case .subsystem:
      return Self.subsystems.contains { equal($0, text) }
    case .plain:
      if acceptsEmpty, text.isEmpty { return true }
      return alternatives.contains { equal($0, text) }
    case .glob:
      if acceptsEmpty, text.isEmpty { return true }
      return alternatives.contains {
        UdevRuleGlob(pattern: $0, ignoresCase: ignoresCase).matches(text)
      }
    }
  }

  /// The texts that it stands for and no others; `nil` when it is a pattern.
  var exactTexts: [[UInt8]]? {
    guard kind == .plain, !ignoresCase else { return nil }
    return acceptsEmpty ? alternatives + [[]] : alternatives
  }

  /// Whether the line goes on with this text.
  func accepts(_ text: [UInt8]) -> Bool {
    matches(text) != isNegated
  }

  private func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard ignoresCase else { return left == right }
    return left.count == right.count
      && zip(left, right).allSatisfy { $0.smallLetter == $1.smallLetter }
  }

  private static let bar = UInt8(ascii: "|")
  private static let something = Array("?*".utf8)
  private static let subsystems = ["subsystem", "class", "bus"].map { Array($0.utf8) }
}
