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
