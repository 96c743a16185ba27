/// The value of a match: alternatives that are separated by bars, each plain text or a shell
/// pattern.
package struct UdevRulePattern: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case empty
    case plain
    case glob
    /// `SUBSYSTEM` treats `subsystem`, `class` and `bus` as equal.
    case subsystem
  }

  /// The value, including its bars.
  private let text: [UInt8]
  let kind: Kind
  /// A Boolean value that indicates whether bars separate alternatives.
  private let isDivided: Bool
  /// A Boolean value that indicates whether one of the alternatives is empty.
  let acceptsEmpty: Bool
  let ignoresCase: Bool
  /// A Boolean value that indicates whether the pattern must not match.
  ///
  /// It corresponds to the operator `!=`. The value `?*` reverses it, because udevd compares with
  /// an empty value instead.
  let isNegated: Bool

  init(_ value: [UInt8], isNegated: Bool, ignoresCase: Bool, isSubsystem: Bool, isSplit: Bool) {
    var negated = isNegated
    if isSubsystem, Self.isSubsystemName(value) {
      kind = .subsystem
    } else if value.isEmpty {
      kind = .empty
    } else if value.count == 2, value[0] == UInt8(ascii: "?"), value[1] == UInt8(ascii: "*") {
      kind = .empty
      negated.toggle()
    } else {
      kind = UdevRuleGlob.isGlob(value) ? .glob : .plain
    }
    self.isNegated = negated
    self.ignoresCase = ignoresCase
    text = value
    isDivided = isSplit && value.contains(Self.bar)
    acceptsEmpty = isDivided && Self.hasEmptyPart(value)
  }

  private static func hasEmptyPart(_ value: [UInt8]) -> Bool {
    value.first == bar || value.last == bar
      || value.indices.dropFirst().contains { value[$0] == bar && value[$0 - 1] == bar }
  }

  /// Returns whether any nonempty alternative satisfies a predicate.
  private func hasAlternative(_ isMatch: (Range<Int>) -> Bool) -> Bool {
    guard isDivided else { return isMatch(text.indices) }
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != Self.bar { end += 1 }
      if end > start, isMatch(start..<end) { return true }
      start = end + 1
    }
    return false
  }

  /// Returns whether a text matches the pattern, regardless of the operator.
  func matches(_ found: [UInt8]) -> Bool {
    switch kind {
    case .empty:
      return found.isEmpty
    case .subsystem:
      return Self.isSubsystemName(ignoresCase ? found.map(\.smallLetter) : found)
    case .plain:
      if acceptsEmpty, found.isEmpty { return true }
      return hasAlternative { equal($0, found) }
    case .glob:
      if acceptsEmpty, found.isEmpty { return true }
      return hasAlternative {
        UdevRuleGlob(pattern: text, range: $0, ignoresCase: ignoresCase).matches(found)
      }
    }
  }

  /// The only texts that match the pattern; `nil` if it is not plain text or ignores case.
  package var exactTexts: [[UInt8]]? {
    guard kind == .plain, !ignoresCase else { return nil }
    guard isDivided else { return [text] }
    return text.split(separator: Self.bar).map { Array($0) } + (acceptsEmpty ? [[]] : [])
  }

  /// Returns whether a match with this pattern holds for a text.
  package func accepts(_ text: [UInt8]) -> Bool {
    matches(text) != isNegated
  }

  private func equal(_ range: Range<Int>, _ found: [UInt8]) -> Bool {
    guard range.count == found.count else { return false }
    var index = 0
    while index < found.count {
      let wanted = text[range.lowerBound + index]
      let isSame =
        ignoresCase ? wanted.smallLetter == found[index].smallLetter : wanted == found[index]
      if !isSame { return false }
      index += 1
    }
    return true
  }

  private static func isSubsystemName(_ name: [UInt8]) -> Bool {
    name.spells("subsystem") || name.spells("class") || name.spells("bus")
  }

  private static let bar = UInt8(ascii: "|")
}
