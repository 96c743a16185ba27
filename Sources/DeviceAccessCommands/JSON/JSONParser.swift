/// Parses JSON text (RFC 8259) from anyone, within bounds.
///
/// Stricter than it must be: a key that occurs twice is an error, since two readers could
/// disagree about it.
struct JSONParser {
  /// How deep lists and objects may nest.
  static let maximumDepth = 64
  /// How many values a text may hold: a short text can ask for much memory.
  static let maximumValues = 4_000_000
  /// From how many members on their keys are hashed to find one that occurs twice.
  private static let manyMembers = 32

  private let bytes: [UInt8]
  private var position = 0
  private var tokens: [JSONTape.Token] = []
  private var values = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens.reserveCapacity(bytes.count / 6 + 1)
  }

  /// Parses a whole text.
  static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONTape {
    var parser = JSONParser(bytes)
    // Tokens count bytes in 32 bits; no input that is read is nearly as long.
    guard bytes.count < Int(Int32.max) else { throw parser.error("the text is too long") }
    guard parser.isUTF8 else { throw parser.error("the text is not valid UTF-8") }
    parser.skipSpace()
    guard parser.peek != nil else { throw parser.error("the text is empty") }
    try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.peek == nil else { throw parser.error("unexpected text after the value") }
    return JSONTape(bytes: bytes, tokens: parser.tokens)
  }

  private var isUTF8: Bool {
    (try? UTF8Span(validating: bytes.span)) != nil
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ problem: String) -> JSONSyntaxError {
    JSONSyntaxError(problem: problem, offset: position)
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) {
    values += 1
    guard depth <= Self.maximumDepth else { throw error("nested too deeply") }
    guard values <= Self.maximumValues else { throw error("too many values") }
    guard let byte = peek else { throw error("the text ends too early") }
    switch byte {
    case UInt8(ascii: "{"): try object(depth: depth)
    case UInt8(ascii: "["): try array(depth: depth)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    case UInt8(ascii: "t"): try word("true", .yes)
    case UInt8(ascii: "f"): try word("false", .no)
    case UInt8(ascii: "n"): try word("null", .null)
    default: throw error("unexpected character")
    }
  }

  /// Adds a value without parts, which ends at the position.
  private mutating func append(_ kind: JSONTape.Token.Kind, from start: Int, to end: Int) {
    tokens.append(
      JSONTape.Token(
        kind: kind, start: Int32(start), end: Int32(end), next: Int32(tokens.count + 1)))
  }

  private mutating func word(
    _ word: StaticString, _ kind: JSONTape.Token.Kind
  ) throws(JSONSyntaxError) {
    let start = position
    for byte in "\(word)".utf8 {
      guard peek == byte else {
        throw error(peek == nil ? "the text ends too early" : "unexpected character")
      }
      position += 1
    }
    append(kind, from: start, to: position)
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) {
    try parts(.array, UInt8(ascii: "]")) { (parser) throws(JSONSyntaxError) in
      try parser.value(depth: depth + 1)
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) {
    let object = tokens.count
    var keys: Set<String> = []
    try parts(.object, UInt8(ascii: "}")) { (parser) throws(JSONSyntaxError) in
      try parser.key(in: object, &keys)
      try parser.value(depth: depth + 1)
    }
  }

  /// Goes through the parts of a list or an object, which begins here.
  private mutating func parts(
    _ kind: JSONTape.Token.Kind, _ end: UInt8,
    _ part: (inout Self) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    let index = tokens.count
    append(kind, from: position, to: position)
    position += 1
    skipSpace()
    if peek == end {
      position += 1
      return
    }
    repeat {
      skipSpace()
      try part(&self)
      tokens[index].count += 1
    } while try !endsAfterPart(with: end)
    tokens[index].next = Int32(tokens.count)
  }

  private mutating func key(in object: Int, _ keys: inout Set<String>) throws(JSONSyntaxError) {
    guard peek == UInt8(ascii: "\"") else {
      throw error(peek == nil ? "the text ends too early" : "a key must be a string")
    }
    let key = tokens.count
    try string()
    guard isNew(key, in: object, &keys) else { throw error("a key occurs twice") }
    skipSpace()
    guard peek == UInt8(ascii: ":") else {
      throw error(peek == nil ? "the text ends too early" : "a colon is missing")
    }
    position += 1
    skipSpace()
  }

  /// Whether no key before in the object is the same.
  private func isNew(_ key: Int, in object: Int, _ keys: inout Set<String>) -> Bool {
    let count = Int(tokens[object].count)
    if count >= Self.manyMembers {
      if keys.isEmpty { forEachKey(in: object) { keys.insert(text($0)) } }
      return keys.insert(text(key)).inserted
    }
    var isNew = true
    forEachKey(in: object) { other in
      if isNew && isSame(other, key) { isNew = false }
    }
    return isNew
  }

  private func forEachKey(in object: Int, _ body: (Int) -> Void) {
    var key = object + 1
    for _ in 0..<tokens[object].count {
      body(key)
      key = Int(tokens[key + 1].next)
    }
  }

  private func isSame(_ one: Int, _ other: Int) -> Bool {
    if tokens[one].kind == .string && tokens[other].kind == .string {
      let first = tokens[one]
      let second = tokens[other]
      return first.end - first.start == second.end - second.start
        && slice(first).elementsEqual(slice(second))
    }
    return text(one) == text(other)
  }

  private func slice(_ token: JSONTape.Token) -> ArraySlice<UInt8> {
    bytes[Int(token.start)..<Int(token.end)]
  }

  private func text(_ index: Int) -> String {
    JSONEscapes.text(slice(tokens[index]))
  }

  /// Passes the comma or the end after a part, and tells whether it was the end.
  private mutating func endsAfterPart(with end: UInt8) throws(JSONSyntaxError) -> Bool {
    skipSpace()
    guard let byte = peek else { throw error("the text ends too early") }
    guard byte == end || byte == UInt8(ascii: ",") else { throw error("a comma is missing") }
    position += 1
    return byte == end
  }
}

extension JSONParser {
  private mutating func number() throws(JSONSyntaxError) {
    let start = position
    var kind = JSONTape.Token.Kind.integer
    if peek == UInt8(ascii: "-") { position += 1 }
    let firstDigit = peek
    let integerDigits = skipDigits()
    guard integerDigits > 0 else { throw error("a number has no digits") }
    guard firstDigit != UInt8(ascii: "0") || integerDigits == 1 else {
      throw error("a number begins with zero")
    }
    if peek == UInt8(ascii: ".") {
      kind = .fraction
      position += 1
      guard skipDigits() > 0 else { throw error("a fraction has no digits") }
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      kind = .fraction
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() > 0 else { throw error("an exponent has no digits") }
    }
    // Longer numbers are of no use here, and slow to convert.
    guard position - start <= 64 else { throw error("a number is too long") }
    if kind == .fraction {
      let value = Double(String(decoding: bytes[start..<position], as: UTF8.self))
      guard value?.isFinite == true else { throw error("a number is out of range") }
    }
    append(kind, from: start, to: position)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    return position - start
  }

  private mutating func string() throws(JSONSyntaxError) {
    position += 1
    let start = position
    var kind = JSONTape.Token.Kind.string
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        append(kind, from: start, to: position)
        position += 1
        return
      }
      guard byte >= 0x20 else { throw error("a string contains a control character") }
      position += 1
      if byte == UInt8(ascii: "\\") {
        kind = .escapedString
        do throws(JSONEscapes.Problem) {
          _ = try JSONEscapes.scalar(in: bytes[...], at: &position)
        } catch {
          throw self.error(error.text)
        }
      }
    }
    throw error("the text ends too early")
  }
}
