/// A position in JSON text, from which a word, a number or a string can be read.
struct JSONCursor {
  /// The maximum length of a number, because longer ones are slow to convert and not needed.
  private static let longestNumber = 64

  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next byte; `nil` at the end.
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Returns the bytes of a token.
  func slice(_ token: JSONTape.Token) -> ArraySlice<UInt8> {
    bytes[Int(token.start)..<Int(token.end)]
  }

  /// Returns `true` if two ranges contain the same bytes.
  func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    guard one.count == other.count else { return false }
    for offset in 0..<one.count
    where bytes[one.lowerBound + offset] != bytes[other.lowerBound + offset] {
      return false
    }
    return true
  }

  /// Returns an error at the current position.
  func error(_ problem: String) -> JSONSyntaxError {
    JSONSyntaxError(problem: problem, offset: position)
  }

  /// Skips white space.
  mutating func skipSpace() {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  /// Reads the given word.
  mutating func word(_ word: StaticString) throws(JSONSyntaxError) {
    for byte in word.description.utf8 {
      guard peek == byte else {
        throw error(peek == nil ? "the text ends too early" : "unexpected character")
      }
      position += 1
    }
  }

  /// Reads a number.
  mutating func number() throws(JSONSyntaxError) -> JSONTape.Token.Kind {
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
    guard position - start <= Self.longestNumber else { throw error("a number is too long") }
    if kind == .fraction {
      let value = Double(String(decoding: bytes[start..<position], as: UTF8.self))
      guard value?.isFinite == true else { throw error("a number is out of range") }
    }
    return kind
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    return position - start
  }

  /// Reads a string, including its quotes.
  mutating func string() throws(JSONSyntaxError) -> JSONTape.Token.Kind {
    position += 1
    var hasEscapes = false
    var allBits: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return hasEscapes ? .escapedString : allBits < 0x80 ? .string : .unicodeString
      }
      guard byte >= 0x20 else { throw error("a string contains a control character") }
      allBits |= byte
      position += 1
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
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
