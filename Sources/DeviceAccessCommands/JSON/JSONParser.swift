/// Parses JSON text (RFC 8259) from anyone, within bounds.
///
/// Stricter than it must be: a key that occurs twice is an error, since two readers could
/// disagree about it.
struct JSONParser {
  /// How deep lists and objects may nest.
  static let maximumDepth = 64
  /// How many values a text may hold: a short text can ask for much memory.
  static let maximumValues = 4_000_000

  private let bytes: [UInt8]
  private var position = 0
  private var values = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses a whole text.
  static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(bytes)
    parser.skipSpace()
    guard parser.peek != nil else { throw parser.error("the text is empty") }
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.peek == nil else { throw parser.error("unexpected text after the value") }
    return value
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ problem: String) -> JSONSyntaxError {
    JSONSyntaxError(problem: problem, offset: position)
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    values += 1
    guard depth <= Self.maximumDepth else { throw error("nested too deeply") }
    guard values <= Self.maximumValues else { throw error("too many values") }
    guard let byte = peek else { throw error("the text ends too early") }
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw error("unexpected character")
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    for byte in "\(word)".utf8 {
      guard peek == byte else {
        throw error(peek == nil ? "the text ends too early" : "unexpected character")
      }
      position += 1
    }
    return value
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if peek == UInt8(ascii: "]") {
      position += 1
      return .array(elements)
    }
    while true {
      skipSpace()
      elements.append(try value(depth: depth + 1))
      if try endsAfterElement(with: UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    position += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if peek == UInt8(ascii: "}") {
      position += 1
      return .object(members)
    }
    while true {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else {
        throw error(peek == nil ? "the text ends too early" : "a key must be a string")
      }
      let key = try string()
      skipSpace()
      guard peek == UInt8(ascii: ":") else {
        throw error(peek == nil ? "the text ends too early" : "a colon is missing")
      }
      position += 1
      skipSpace()
      let member = try value(depth: depth + 1)
      guard members.updateValue(member, forKey: key) == nil else {
        throw error("a key occurs twice")
      }
      if try endsAfterElement(with: UInt8(ascii: "}")) { return .object(members) }
    }
  }

  /// Passes the comma or the end after an element, and tells whether it was the end.
  private mutating func endsAfterElement(with end: UInt8) throws(JSONSyntaxError) -> Bool {
    skipSpace()
    guard let byte = peek else { throw error("the text ends too early") }
    guard byte == end || byte == UInt8(ascii: ",") else { throw error("a comma is missing") }
    position += 1
    return byte == end
  }
}

extension JSONParser {
  private mutating func number() throws(JSONSyntaxError) -> JSONValue {
    let start = position
    var isInteger = true
    if peek == UInt8(ascii: "-") { position += 1 }
    let firstDigit = peek
    let integerDigits = skipDigits()
    guard integerDigits > 0 else { throw error("a number has no digits") }
    guard firstDigit != UInt8(ascii: "0") || integerDigits == 1 else {
      throw error("a number begins with zero")
    }
    if peek == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      guard skipDigits() > 0 else { throw error("a fraction has no digits") }
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() > 0 else { throw error("an exponent has no digits") }
    }
    // Longer numbers are of no use here, and slow to convert.
    guard position - start <= 64 else { throw error("a number is too long") }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int64(text) { return .integer(value) }
    if isInteger, let value = UInt64(text) { return .unsigned(value) }
    guard let value = Double(text), value.isFinite else {
      throw error("a number is out of range")
    }
    return .double(value)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    return position - start
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    position += 1
    var content: [UInt8] = []
    var start = position
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        content += bytes[start..<position]
        guard let text = String(validating: content, as: UTF8.self) else {
          throw error("a string is not valid UTF-8")
        }
        position += 1
        return text
      case UInt8(ascii: "\\"):
        content += bytes[start..<position]
        position += 1
        content += String(try escape()).utf8
        start = position
      case 0..<0x20:
        throw error("a string holds a control character")
      default:
        position += 1
      }
    }
    throw error("the text ends too early")
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    guard let byte = peek else { throw error("the text ends too early") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw error("an unknown escape")
    }
    let high = try hexadecimal()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, peek == UInt8(ascii: "\\") else { throw error("half a surrogate pair") }
    position += 1
    guard peek == UInt8(ascii: "u") else { throw error("half a surrogate pair") }
    position += 1
    let low = try hexadecimal()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(
        0x10000 + ((UInt32(high) - 0xD800) << 10) + (UInt32(low) - 0xDC00))
    else { throw error("half a surrogate pair") }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek else { throw error("the text ends too early") }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw error("an escape needs four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }
}
