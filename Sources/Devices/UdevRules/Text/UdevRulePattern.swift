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

/// A shell pattern that matches as fnmatch(3) does in the C locale without flags.
///
/// Optionally, it ignores the case of letters.
struct UdevRuleGlob {
  let pattern: [UInt8]
  private let start: Int
  private let end: Int
  let ignoresCase: Bool

  /// Creates a pattern from all of the bytes, or from a range of them.
  init(pattern: [UInt8], range: Range<Int>? = nil, ignoresCase: Bool) {
    self.pattern = pattern
    start = range?.lowerBound ?? 0
    end = range?.upperBound ?? pattern.count
    self.ignoresCase = ignoresCase
  }

  /// Returns whether a text contains a character that makes it a pattern.
  static func isGlob(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 == star || $0 == any || $0 == bracket }
  }

  func matches(_ text: [UInt8]) -> Bool {
    var place = start
    var position = 0
    // The position after the last star, and the place in the text where matching resumes.
    var retry: (place: Int, position: Int)?
    while true {
      if place < end, pattern[place] == Self.star {
        place += 1
        retry = (place, position)
        continue
      }
      if position < text.count, let next = step(place, text[position]) {
        place = next
        position += 1
        continue
      }
      if position == text.count, place == end { return true }
      guard let last = retry, last.position < text.count else { return false }
      retry = (last.place, last.position + 1)
      place = last.place
      position = last.position + 1
    }
  }

  private static let star = UInt8(ascii: "*")
  private static let any = UInt8(ascii: "?")
  private static let bracket = UInt8(ascii: "[")
  private static let close = UInt8(ascii: "]")

  /// Returns the place in the pattern after one byte of the text has matched; `nil` if it does not
  /// match.
  private func step(_ place: Int, _ byte: UInt8) -> Int? {
    guard place < end else { return nil }
    switch pattern[place] {
    case Self.any:
      return place + 1
    case .backslash:
      guard place + 1 < end else { return nil }
      return fold(pattern[place + 1]) == fold(byte) ? place + 2 : nil
    case Self.bracket:
      switch set(from: place + 1, byte) {
      case .matches(let next): return next
      case .differs: return nil
      // An opening bracket without a closing one matches itself.
      case .open: return byte == Self.bracket ? place + 1 : nil
      }
    default:
      return fold(pattern[place]) == fold(byte) ? place + 1 : nil
    }
  }

  private enum SetMatch {
    case matches(next: Int)
    case differs
    case open
  }

  private func fold(_ byte: UInt8) -> UInt8 {
    ignoresCase ? byte.smallLetter : byte
  }

  /// Compares a byte with the characters after an opening bracket.
  private func set(from start: Int, _ byte: UInt8) -> SetMatch {
    var place = start
    var isMember = false
    var isNegated = false
    if place < end, pattern[place] == UInt8(ascii: "!") || pattern[place] == 0x5E {
      isNegated = true
      place += 1
    }
    var isFirst = true
    while true {
      guard place < end else { return .open }
      var low = pattern[place]
      place += 1
      if low == Self.close, !isFirst { break }
      isFirst = false
      if low == Self.bracket, let (name, next) = named(at: place) {
        place = next
        guard let holds = Self.isMember(byte, ofClass: name) else { return .differs }
        isMember = isMember || holds
        continue
      }
      if low == .backslash {
        guard place < end else { return .differs }
        low = pattern[place]
        place += 1
      }
      var high = low
      if place + 1 < end, pattern[place] == 0x2D, pattern[place + 1] != Self.close {
        high = pattern[place + 1]
        place += 2
        if high == .backslash {
          guard place < end else { return .differs }
          high = pattern[place]
          place += 1
        }
      }
      if fold(low) <= fold(byte), fold(byte) <= fold(high) { isMember = true }
    }
    return isMember != isNegated ? .matches(next: place) : .differs
  }

  /// Returns the name of a character class such as `[:alpha:]`, given the place of its first colon.
  private func named(at place: Int) -> (name: ArraySlice<UInt8>, next: Int)? {
    guard place < end, pattern[place] == UInt8(ascii: ":") else { return nil }
    var last = place + 1
    while last < end, (97...122).contains(pattern[last]) { last += 1 }
    guard last + 1 < end, pattern[last] == UInt8(ascii: ":"),
      pattern[last + 1] == Self.close
    else { return nil }
    return (pattern[(place + 1)..<last], last + 2)
  }

  private static func isMember(_ byte: UInt8, ofClass name: ArraySlice<UInt8>) -> Bool? {
    switch String(decoding: name, as: UTF8.self) {
    case "alpha": byte.isLatinLetter
    case "digit": byte.isDecimal
    case "alnum": byte.isLatinLetter || byte.isDecimal
    case "upper": (65...90).contains(byte)
    case "lower": (97...122).contains(byte)
    case "space": byte.isSpace
    case "blank": byte == 32 || byte == 9
    case "cntrl": byte < 32 || byte == 127
    case "graph": (33...126).contains(byte)
    case "print": (32...126).contains(byte)
    case "punct": (33...126).contains(byte) && !byte.isLatinLetter && !byte.isDecimal
    case "xdigit": byte.isDecimal || (97...102).contains(byte | 0x20)
    default: nil
    }
  }
}
