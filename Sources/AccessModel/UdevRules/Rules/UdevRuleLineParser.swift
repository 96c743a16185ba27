/// Reads one line of a rules file.
struct UdevRuleLineParser {
  /// Why udevd ignores the line.
  struct Refusal: Error {
    let code: UdevRuleProblem.Code
    let subject: UdevRuleText
  }

  /// A key with all that belongs to it, as it is written.
  struct Pair {
    let name: ArraySlice<UInt8>
    let attribute: [UInt8]?
    let comparison: UdevRuleOperator
    let value: [UInt8]
    let ignoresCase: Bool
  }

  let line: [UInt8]
  let version: UdevRuleVersion
  private(set) var tokens: [UdevRuleToken] = []
  private(set) var label: UdevRuleText?
  private(set) var jump: UdevRuleText?
  /// What udevd complains about, and goes on.
  private(set) var notes: [(code: UdevRuleProblem.Code, isPart: Bool, subject: UdevRuleText)] = []
  private var index = 0

  init(_ line: [UInt8], _ version: UdevRuleVersion) {
    self.line = line
    self.version = version
  }

  /// Reads all of it.
  mutating func parse() throws(Refusal) {
    while let pair = try next() {
      try add(pair)
    }
    tokens.sort { ($0.key, $0.position) < ($1.key, $1.position) }
  }

  mutating func note(_ code: UdevRuleProblem.Code, isPart: Bool = false, _ subject: UdevRuleText) {
    notes.append((code, isPart, subject))
  }

  mutating func append(
    _ key: UdevRuleKey, _ pair: Pair, _ comparison: UdevRuleOperator, value: [UInt8]? = nil,
    number: Int64? = nil
  ) {
    tokens.append(
      UdevRuleToken(
        key: key, attribute: pair.attribute.map(UdevRuleText.init), comparison: comparison,
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

  private mutating func next() throws(Refusal) -> Pair? {
    skip { $0.isBlank || $0 == UInt8(ascii: ",") }
    guard index < line.count else { return nil }
    let start = index
    let refusal = Refusal(code: .invalidPair, subject: UdevRuleText(Array(line[start...])))
    while true {
      guard index < line.count else { throw refusal }
      let byte = line[index]
      if byte.isBlank || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "{") { break }
      if index + 1 < line.count, line[index + 1] == UInt8(ascii: "="), Self.signs.contains(byte) {
        break
      }
      index += 1
    }
    let name = line[start..<index]
    var attribute: [UInt8]?
    if line[index] == UInt8(ascii: "{") {
      guard let end = line[index...].firstIndex(of: UInt8(ascii: "}")) else { throw refusal }
      attribute = Array(line[(index + 1)..<end])
      index = end + 1
    }
    skip(\.isBlank)
    guard let comparison = comparison() else { throw refusal }
    index += comparison.rawValue.utf8.count
    skip(\.isBlank)
    guard let (value, ignoresCase) = value() else { throw refusal }
    return Pair(
      name: name, attribute: attribute, comparison: comparison, value: value,
      ignoresCase: ignoresCase)
  }

  private static let signs = Array("+-!:".utf8)

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while index < line.count, isSkipped(line[index]) { index += 1 }
  }

  private func comparison() -> UdevRuleOperator? {
    guard index < line.count else { return nil }
    let next = index + 1 < line.count && line[index + 1] == UInt8(ascii: "=")
    switch line[index] {
    case UInt8(ascii: "="): return next ? .equal : .assign
    case UInt8(ascii: "!"): return next ? .unequal : nil
    case UInt8(ascii: "+"): return next ? .add : nil
    case UInt8(ascii: "-"): return next ? .remove : nil
    case UInt8(ascii: ":"): return next ? .assignFinally : nil
    default: return nil
    }
  }

  /// Reads a value in double quotes, with the letters before it.
  private mutating func value() -> (bytes: [UInt8], ignoresCase: Bool)? {
    var isEscaped = false
    var ignoresCase = false
    while index < line.count, line[index] != .quote {
      if line[index] == UInt8(ascii: "e"), !isEscaped {
        isEscaped = true
      } else if line[index] == UInt8(ascii: "i"), !ignoresCase, version.ignoresCaseOnRequest {
        ignoresCase = true
      } else {
        return nil
      }
      index += 1
    }
    guard index < line.count else { return nil }
    index += 1
    let start = index
    var bytes: [UInt8] = []
    while true {
      guard index < line.count else { return nil }
      let byte = line[index]
      if byte == .quote { break }
      if byte == .backslash, isEscaped || index + 1 < line.count && line[index + 1] == .quote {
        index += 1
        guard index < line.count else { return nil }
      }
      if !isEscaped { bytes.append(line[index]) }
      index += 1
    }
    if isEscaped {
      guard let text = UdevRuleEscape.unescaped(line[start..<index]) else { return nil }
      bytes = text
    }
    index += 1
    return (bytes, ignoresCase)
  }
}
