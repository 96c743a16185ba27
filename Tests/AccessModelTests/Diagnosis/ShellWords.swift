/// The words that a shell makes of a command, without quotes.
struct ShellWords {
  var words: [String] = []
  /// A Boolean value that indicates whether the shell would do more than run one command and write
  /// its output to a file.
  ///
  /// This is the case for a list, pipeline, substitution, pattern or comment.
  var hasOperators = false

  init(_ command: String) {
    var word: [UInt8]?
    var rest = Array(command.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "'"):
        word = word ?? []
        while let next = rest.popFirst(), next != UInt8(ascii: "'") { word?.append(next) }
      case UInt8(ascii: "$") where rest.first == UInt8(ascii: "'"):
        rest.removeFirst()
        word = (word ?? []) + Self.escaped(&rest)
      case UInt8(ascii: "\\"):
        if let next = rest.popFirst() { word = (word ?? []) + [next] }
      case UInt8(ascii: " "):
        if let word { words.append(String(decoding: word, as: UTF8.self)) }
        word = nil
      case 0..<0x20, 0x7F: hasOperators = true
      default:
        if ";&|`$<()\"*?[#~\n".utf8.contains(byte) { hasOperators = true }
        word = (word ?? []) + [byte]
      }
    }
    if let word { words.append(String(decoding: word, as: UTF8.self)) }
  }

  /// Reads the bytes up to the closing quote of `$'…'`.
  private static func escaped(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "'") {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        var value = Int(next - 48)
        for _ in 0..<2 {
          if let digit = rest.popFirst() { value = value * 8 + Int(digit) - 48 }
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
      default: bytes.append(next)
      }
    }
    return bytes
  }
}
