/// Parses one line of a rules file.
struct UdevRuleLineParser {
  /// The reason why udevd ignores the line.
  struct Refusal: Error {
    let code: UdevRuleProblem.Code
    let subject: UdevRuleText
  }

  /// A key with its operator and its value, as written.
  struct Pair {
    /// The range of the key's name in the bytes.
    let place: Range<Int>
    /// The name; `nil` if it is longer than any key.
    let name: UdevRuleKeyName?
    let attribute: [UInt8]?
    let comparison: UdevRuleOperator
    let value: [UInt8]
    let ignoresCase: Bool
  }

  /// The bytes that contain the line.
  ///
  /// They may be those of the whole file, which avoids a copy.
  private let bytes: [UInt8]
  private let end: Int
  let version: UdevRuleVersion
  private(set) var tokens: [UdevRuleToken] = []
  private(set) var label: UdevRuleText?
  private(set) var jump: UdevRuleText?
  /// The problems that udevd logs before it continues.
  private(set) var notes: [(code: UdevRuleProblem.Code, isPart: Bool, subject: UdevRuleText)] = []
  private var index: Int

  init(_ line: UdevRuleLineReader.Line, _ version: UdevRuleVersion) {
    bytes = line.bytes
    index = line.range.lowerBound
    end = line.range.upperBound
    self.version = version
  }

  /// Parses the whole line.
  mutating func parse() throws(Refusal) {
    // Few lines have more than one part per 24 bytes.
    tokens.reserveCapacity(1 + (end - index) / 24)
    while let pair = try nextOrEnd() {
      try add(pair)
    }
    if !isSorted {
      tokens.sort { ($0.key, $0.position) < ($1.key, $1.position) }
    }
  }

  private var isSorted: Bool {
    var index = 1
    while index < tokens.count {
      if tokens[index].key < tokens[index - 1].key { return false }
      index += 1
    }
    return true
  }

  /// Returns the name of a key, to report a problem.
  func name(_ pair: Pair) -> UdevRuleText { UdevRuleText(Array(bytes[pair.place])) }

  mutating func note(_ code: UdevRuleProblem.Code, isPart: Bool = false, _ subject: UdevRuleText) {
    notes.append((code, isPart, subject))
  }

  mutating func append(
    _ key: UdevRuleKey, _ pair: Pair, _ comparison: UdevRuleOperator, value: [UInt8]? = nil,
    number: Int64? = nil
  ) {
    tokens.append(
      UdevRuleToken(
        key: key, attribute: pair.attribute.map { UdevRuleText($0) }, comparison: comparison,
        value: UdevRuleText(value ?? pair.value), position: tokens.count,
        ignoresCase: pair.ignoresCase, number: number))
  }

  mutating func setLabel(_ text: [UInt8]) {
    label = UdevRuleText(text)
  }

  mutating func setJump(_ text: [UInt8]) {
    guard jump == nil else {
      note(.repeatedJump, isPart: true, UdevRuleText(text))
      return
    }
    jump = UdevRuleText(text)
  }

  /// Returns the next part.
  ///
  /// The result is `nil` at the end of the line, or at a part where older releases of udevd stop
  /// reading.
  private mutating func nextOrEnd() throws(Refusal) -> Pair? {
    do {
      return try next()
    } catch {
      guard version.keepsPartBeforeError, !tokens.isEmpty else { throw error }
      note(error.code, isPart: true, error.subject)
      return nil
    }
  }

  private mutating func next() throws(Refusal) -> Pair? {
    while index < end, bytes[index].isBlank || bytes[index] == UInt8(ascii: ",") { index += 1 }
    guard index < end else { return nil }
    let start = index
    let bytes = bytes
    var place = start
    var name = UdevRuleKeyName.Reader()
    while true {
      guard place < end else { throw invalid(from: start) }
      let byte = bytes[place]
      if byte.isBlank || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "{") { break }
      if place + 1 < end, bytes[place + 1] == UInt8(ascii: "="), Self.isSign(byte) { break }
      name.add(byte)
      place += 1
    }
    index = place
    var attribute: [UInt8]?
    if bytes[index] == UInt8(ascii: "{") {
      guard let close = bytes[index..<end].firstIndex(of: UInt8(ascii: "}")) else {
        throw invalid(from: start)
      }
      attribute = Array(bytes[(index + 1)..<close])
      index = close + 1
    }
    skipBlanks()
    guard let comparison = comparison() else { throw invalid(from: start) }
    index += comparison == .assign ? 1 : 2
    skipBlanks()
    guard let (value, ignoresCase) = value() else { throw invalid(from: start) }
    return Pair(
      place: start..<place, name: name.name, attribute: attribute,
      comparison: comparison, value: value, ignoresCase: ignoresCase)
  }

  private func invalid(from start: Int) -> Refusal {
    Refusal(code: .invalidPair, subject: UdevRuleText(Array(bytes[start..<end])))
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "!")
      || byte == UInt8(ascii: ":")
  }

  private mutating func skipBlanks() {
    while index < end, bytes[index].isBlank { index += 1 }
  }

  private func comparison() -> UdevRuleOperator? {
    guard index < end else { return nil }
    let next = index + 1 < end && bytes[index + 1] == UInt8(ascii: "=")
    switch bytes[index] {
    case UInt8(ascii: "="): return next ? .equal : .assign
    case UInt8(ascii: "!"): return next ? .unequal : nil
    case UInt8(ascii: "+"): return next ? .add : nil
    case UInt8(ascii: "-"): return next ? .remove : nil
    case UInt8(ascii: ":"): return next ? .assignFinally : nil
    default: return nil
    }
  }

  /// Reads a value in double quotes, including the letters before the quotes.
  private mutating func value() -> (bytes: [UInt8], ignoresCase: Bool)? {
    var isEscaped = false
    var ignoresCase = false
    while index < end, bytes[index] != .quote {
      if bytes[index] == UInt8(ascii: "e"), !isEscaped {
        isEscaped = true
      } else if bytes[index] == UInt8(ascii: "i"), !ignoresCase, version.ignoresCaseOnRequest {
        ignoresCase = true
      } else {
        return nil
      }
      index += 1
    }
    guard index < end else { return nil }
    index += 1
    var holdsQuotes = false
    let bytes = bytes
    var place = index
    while true {
      guard place < end else { return nil }
      let byte = bytes[place]
      if byte == .quote { break }
      if byte == .backslash, isEscaped || place + 1 < end && bytes[place + 1] == .quote {
        holdsQuotes = true
        place += 1
        guard place < end else { return nil }
      }
      place += 1
    }
    let range = index..<place
    index = place + 1
    if isEscaped {
      return UdevRuleEscape.unescaped(bytes[range]).map { ($0, ignoresCase) }
    }
    return (holdsQuotes ? withoutBackslashes(range) : Array(bytes[range]), ignoresCase)
  }

  /// Returns a value without the backslashes that escape quotes.
  private func withoutBackslashes(_ range: Range<Int>) -> [UInt8] {
    var value: [UInt8] = []
    for place in range {
      let isBeforeQuote = place + 1 < range.upperBound && bytes[place + 1] == .quote
      if bytes[place] != .backslash || !isBeforeQuote { value.append(bytes[place]) }
    }
    return value
  }
}
