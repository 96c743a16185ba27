/// The assignments of a unit file or drop-in in their order (systemd.syntax(7)).
///
/// Parsing only needs the bytes and never fails. A line that is not an assignment is counted and
/// ignored, as systemd does.
struct UnitFile: Hashable, Sendable {
  /// A `Key=value` line, joined with its continuation lines.
  struct Assignment: Hashable, Sendable {
    var section: String
    var key: String
    /// The value without surrounding whitespace, with quotes and escapes still in it.
    var value: String
  }

  private(set) var assignments: [Assignment] = []
  /// The number of lines that are not a section, an assignment, a comment or blank, or are not
  /// UTF-8.
  private(set) var malformedLines = 0
  /// A Boolean value that indicates whether the file has more assignments than are kept.
  private(set) var isTruncated = false

  /// The maximum number of bytes to read from a file.
  static let limit = 1 << 20
  private static let mostAssignments = 16_384

  init(parsing bytes: [UInt8]) {
    var section = ""
    // The start of a continued line. It is extended in place, because a file may consist of one
    // such line.
    var pending: [UInt8] = []
    for line in ByteScanner.split(bytes[...], at: ByteScanner.newline) {
      let part = (line.last == UInt8(ascii: "\r") ? line.dropLast() : line).drop(
        while: Self.isBlank)
      // Comments between the lines of an assignment do not end it.
      if let first = part.first, first == UInt8(ascii: "#") || first == UInt8(ascii: ";") {
        continue
      }
      // The backslash is replaced by a space.
      if Self.isContinued(part) {
        pending += part.dropLast()
        pending.append(ByteScanner.space)
        continue
      }
      pending += part
      take(Self.trimmed(pending[...]), &section)
      pending.removeAll(keepingCapacity: true)
    }
    take(Self.trimmed(pending[...]), &section)
  }

  private mutating func take(_ line: ArraySlice<UInt8>, _ section: inout String) {
    guard let first = line.first else { return }
    guard assignments.count < Self.mostAssignments else {
      isTruncated = true
      return
    }
    if first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") {
      section = String(repairing: line.dropFirst().dropLast(), limit: 256)
      return
    }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex,
      let key = String(validating: Self.trimmed(line[..<equals]), as: UTF8.self),
      let value = String(validating: Self.trimmed(line[(equals + 1)...]), as: UTF8.self),
      !section.isEmpty, !value.utf8.contains(0)
    else {
      malformedLines += 1
      return
    }
    assignments.append(Assignment(section: section, key: key, value: value))
  }

  /// Returns whether a line ends with a backslash that is not escaped itself.
  private static func isContinued(_ line: ArraySlice<UInt8>) -> Bool {
    line.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == ByteScanner.space || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

/// Splits the value of a setting into words, with the quotes and escapes of systemd.syntax(7).
///
/// It needs only the text and never fails; an unfinished quote ends at the end of the value.
enum UnitWords {
  /// The maximum number of words, which no real setting exceeds.
  static let limit = 4096

  /// Returns the words of a value, without quotes and escapes.
  ///
  /// Text in single or double quotes is not split. The character after a backslash is taken
  /// literally.
  static func split(_ value: String) -> [String] {
    fields(value, separator: nil).compactMap(\.first)
  }

  /// Returns the words of a value, each split at colons that are neither quoted nor escaped.
  static func fields(_ value: String) -> [[String]] {
    fields(value, separator: UInt8(ascii: ":"))
  }

  private static func fields(_ value: String, separator: UInt8?) -> [[String]] {
    var words: [[String]] = []
    var rest = Array(value.utf8)[...]
    while words.count < limit {
      rest = rest.drop(while: isBlank)
      guard !rest.isEmpty else { break }
      words.append(word(&rest, separator))
    }
    return words
  }

  private static func word(_ rest: inout ArraySlice<UInt8>, _ separator: UInt8?) -> [String] {
    var fields: [String] = []
    var bytes: [UInt8] = []
    var quote: UInt8?
    while let byte = rest.first {
      if quote == nil && isBlank(byte) { break }
      rest.removeFirst()
      if byte == UInt8(ascii: "\\") {
        bytes.append(rest.popFirst() ?? byte)
      } else if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if quote == nil, byte == separator {
        fields.append(String(decoding: bytes, as: UTF8.self))
        bytes = []
      } else {
        bytes.append(byte)
      }
    }
    return fields + [String(decoding: bytes, as: UTF8.self)]
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}

/// Expands the specifiers in a setting, such as `%i` (systemd.unit(5), "Specifiers").
struct UnitSpecifiers: Sendable {
  var name: UnitName

  /// Returns the text with its specifiers expanded, and the unknown specifiers.
  ///
  /// The system manager's values are used: `%u` is root, and `%h` is root's home directory.
  func expand(_ text: String) -> (text: String, unknown: [Unicode.Scalar]) {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return (text, []) }
    var result = ""
    var unknown: [Unicode.Scalar] = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%", let letter = rest.popFirst() else {
        result.unicodeScalars.append(scalar)
        continue
      }
      if let value = value(letter) {
        result += value
      } else {
        unknown.append(letter)
        result += "%\(letter)"
      }
    }
    return (result, unknown)
  }

  private func value(_ letter: Unicode.Scalar) -> String? {
    switch letter {
    case "%": "%"
    case "n": name.text
    case "N": name.stem
    case "p": name.prefix
    case "P": Self.unescaped(name.prefix)
    case "i": name.instance ?? ""
    case "I": Self.unescaped(name.instance ?? "")
    case "j": Self.lastPart(name.prefix)
    case "J": Self.unescaped(Self.lastPart(name.prefix))
    case "u", "g": "root"
    case "U", "G": "0"
    case "h": "/root"
    case "s": "/bin/sh"
    case "t": "/run"
    case "S": "/var/lib"
    case "C": "/var/cache"
    case "L": "/var/log"
    case "E": "/etc"
    case "T": "/tmp"
    case "V": "/var/tmp"
    default: nil
    }
  }

  private static func lastPart(_ text: String) -> String {
    text.lastIndex(of: "-").map { String(text[text.index(after: $0)...]) } ?? text
  }

  /// Reverses systemd-escape(1), which encodes a slash as `-` and other bytes like `\x2d`.
  static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "-") {
        bytes.append(UInt8(ascii: "/"))
      } else if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3,
        let value = ByteScanner.hexadecimal(rest.dropFirst().prefix(2)),
        let code = UInt8(exactly: value), code != 0
      {
        rest = rest.dropFirst(3)
        bytes.append(code)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
