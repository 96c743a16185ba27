/// Splits the value of a setting into words, with the quotes and escapes of systemd.syntax(7).
///
/// It works on text alone and never fails: an unfinished quote ends with the value.
enum UnitWords {
  /// More words than any setting needs.
  static let limit = 4096

  /// The words of a value; single and double quotes join, a backslash escapes.
  static func split(_ value: String) -> [String] {
    var words: [String] = []
    var rest = Array(value.utf8)[...]
    while words.count < limit {
      rest = rest.drop(while: isBlank)
      guard !rest.isEmpty else { break }
      words.append(word(&rest))
    }
    return words
  }

  private static func word(_ rest: inout ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var quote: UInt8?
    while let byte = rest.first {
      if quote == nil && isBlank(byte) { break }
      rest.removeFirst()
      if byte == UInt8(ascii: "\\") {
        appendEscape(&rest, to: &bytes)
      } else if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads what follows a backslash; an unknown escape stands for itself, backslash included.
  private static func appendEscape(_ rest: inout ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    guard let byte = rest.popFirst() else { return bytes.append(UInt8(ascii: "\\")) }
    switch byte {
    case UInt8(ascii: "a"): bytes.append(7)
    case UInt8(ascii: "b"): bytes.append(8)
    case UInt8(ascii: "f"): bytes.append(12)
    case UInt8(ascii: "n"): bytes.append(10)
    case UInt8(ascii: "r"): bytes.append(13)
    case UInt8(ascii: "t"): bytes.append(9)
    case UInt8(ascii: "v"): bytes.append(11)
    case UInt8(ascii: "s"): bytes.append(32)
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): bytes.append(byte)
    case UInt8(ascii: "x"):
      let digits = rest.prefix(2)
      guard digits.count == 2, let value = ByteScanner.hexadecimal(digits),
        let code = UInt8(exactly: value), code != 0
      else { return bytes.append(contentsOf: [UInt8(ascii: "\\"), byte]) }
      rest = rest.dropFirst(2)
      bytes.append(code)
    default: bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
