/// Reads one JSON value.
struct JSONParser {
  /// Deeper nesting is refused, since a hostile file could exhaust the stack.
  private static var maxDepth: Int { 128 }

  private let bytes: [UInt8]
  private var index = 0

  private init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Reads a text that is one value and nothing else.
  static func parse(_ text: String) throws(RecordingError) -> JSONValue {
    var parser = JSONParser(text)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.index == parser.bytes.count else { throw .malformed("text after the value") }
    return value
  }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func take(_ word: StaticString, _ value: JSONValue) throws(RecordingError)
    -> JSONValue
  {
    for byte in word.description.utf8 {
      guard take(byte) else { throw .malformed("a word that is not JSON") }
    }
    return value
  }

  private mutating func value(depth: Int) throws(RecordingError) -> JSONValue {
    guard depth < Self.maxDepth else { throw .malformed("nested too deep") }
    skipSpace()
    guard index < bytes.count else { throw .malformed("it ends too early") }
    switch bytes[index] {
    case UInt8(ascii: "n"): return try take("null", .null)
    case UInt8(ascii: "t"): return try take("true", .bool(true))
    case UInt8(ascii: "f"): return try take("false", .bool(false))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "{"): return try object(depth: depth)
    default: return try number()
    }
  }

  private mutating func array(depth: Int) throws(RecordingError) -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array([]) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else { throw .malformed("no comma between elements") }
    }
  }

  private mutating func object(depth: Int) throws(RecordingError) -> JSONValue {
    index += 1
    var members: [(String, JSONValue)] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object([]) }
    while true {
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw .malformed("a member without a name")
      }
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw .malformed("a member without a value") }
      members.append((name, try value(depth: depth + 1)))
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw .malformed("no comma between members") }
    }
  }

  private mutating func number() throws(RecordingError) -> JSONValue {
    let start = index
    while index < bytes.count, "+-.eE0123456789".utf8.contains(bytes[index]) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard Double(text) != nil else { throw .malformed("a number that is none") }
    return .number(text)
  }

  private mutating func string() throws(RecordingError) -> String {
    index += 1
    var result: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"): result += try escape()
      case 0..<0x20: throw .malformed("a control character in a string")
      default: result.append(byte)
      }
    }
    throw .malformed("a string without an end")
  }

  private mutating func escape() throws(RecordingError) -> [UInt8] {
    guard index < bytes.count else { throw .malformed("a string without an end") }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
    default: throw .malformed("an unknown escape")
    }
  }

  private mutating func scalar() throws(RecordingError) -> Unicode.Scalar {
    var unit = try hex()
    if (0xD800..<0xDC00).contains(unit) {
      guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
        throw .malformed("half a character")
      }
      let low = try hex()
      guard (0xDC00..<0xE000).contains(low) else { throw .malformed("half a character") }
      unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(unit) else { throw .malformed("half a character") }
    return scalar
  }

  private mutating func hex() throws(RecordingError) -> UInt32 {
    guard index + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    else { throw .malformed("an escape without four digits") }
    index += 4
    return unit
  }
}
