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

/// The escapes of JSON strings (RFC 8259, section 7).
enum JSONEscapes {
  /// Returns the text of a string whose escapes have already been checked.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var content: [UInt8] = []
    content.reserveCapacity(bytes.count)
    var position = bytes.startIndex
    while position < bytes.endIndex {
      guard bytes[position] == UInt8(ascii: "\\") else {
        content.append(bytes[position])
        position += 1
        continue
      }
      position += 1
      guard let scalar = try? scalar(in: bytes, at: &position) else { break }
      content += String(scalar).utf8
    }
    return String(decoding: content, as: UTF8.self)
  }

  /// The reason why an escape is invalid.
  struct Problem: Error {
    var text: String

    init(_ text: String) {
      self.text = text
    }

    static var end: Problem { Problem("the text ends too early") }
  }

  /// Reads the escape after a backslash, and moves the position to its end.
  static func scalar(
    in bytes: ArraySlice<UInt8>, at position: inout Int
  ) throws(Problem) -> Unicode.Scalar {
    guard position < bytes.endIndex else { throw .end }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw Problem("an unknown escape")
    }
    let high = try hexadecimal(bytes, &position)
    if let scalar = Unicode.Scalar(high) { return scalar }
    for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
      guard high < 0xDC00, position < bytes.endIndex, bytes[position] == expected else {
        throw Problem("half a surrogate pair")
      }
      position += 1
    }
    let low = try hexadecimal(bytes, &position)
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(
        0x10000 + ((UInt32(high) - 0xD800) << 10) + (UInt32(low) - 0xDC00))
    else { throw Problem("half a surrogate pair") }
    return scalar
  }

  private static func hexadecimal(
    _ bytes: ArraySlice<UInt8>, _ position: inout Int
  ) throws(Problem) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard position < bytes.endIndex else { throw .end }
      guard let digit = Unicode.Scalar(bytes[position]).hexadecimalValue else {
        throw Problem("an escape needs four hexadecimal digits")
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }
}

extension Unicode.Scalar {
  fileprivate var hexadecimalValue: UInt16? {
    switch self {
    case "0"..."9": UInt16(value - 0x30)
    case "A"..."F": UInt16(value - 0x37)
    case "a"..."f": UInt16(value - 0x57)
    default: nil
    }
  }
}
