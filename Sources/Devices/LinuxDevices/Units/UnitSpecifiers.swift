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
