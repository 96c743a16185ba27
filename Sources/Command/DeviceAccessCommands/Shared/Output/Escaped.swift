internal import AccessModel
internal import JSONText

/// Untrusted text that is safe to print on a terminal, in a log or in a mail.
///
/// Names come from hardware, filesystems and other users. Control characters (including escape and
/// the C1 controls), characters that reorder or hide text, and bytes that are not UTF-8 become
/// escape sequences such as `\x1b`, `\u{202e}` and `\xff`. The length is limited.
struct Escaped: Hashable, Sendable, CustomStringConvertible {
  /// The safe text, which is a single line.
  let description: String

  /// Escapes a text, and cuts it with an ellipsis if it is too long.
  ///
  /// - Parameters:
  ///   - untrusted: The text.
  ///   - limit: The maximum number of characters in the output, excluding the ellipsis.
  ///   - unicode: `false` to escape all characters outside ASCII.
  init(_ untrusted: String, limit: Int = 256, unicode: Bool = true) {
    // Most texts need no escaping.
    if untrusted.utf8.count <= limit, Self.isPlain(untrusted) {
      description = untrusted
      return
    }
    var text = ""
    var length = 0
    for scalar in untrusted.unicodeScalars {
      let piece = Self.escape(scalar, unicode: unicode)
      length += piece.unicodeScalars.count
      guard length <= limit else {
        text += unicode ? "…" : "..."
        break
      }
      text += piece
    }
    description = text
  }

  /// Replaces or escapes all characters outside ASCII in a text that is already safe.
  static func ascii(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      shown += scalar.isASCII ? String(Character(scalar)) : escape(scalar, unicode: false)
    }
    return shown
  }

  private static func isPlain(_ text: String) -> Bool {
    let bytes = text.utf8.span
    return bytes.indices.allSatisfy { 0x20..<0x7F ~= bytes[$0] }
  }

  private static func escape(_ scalar: Unicode.Scalar, unicode: Bool) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default: break
    }
    if scalar.value < 0x80 {
      guard scalar.isUnprintable else { return String(Character(scalar)) }
      let digits = String(scalar.value, radix: 16)
      return "\\x" + (digits.count < 2 ? "0" : "") + digits
    }
    if let byte = ByteText.byte(scalar) { return "\\x" + String(byte, radix: 16) }
    if !unicode, let replacement = asciiReplacements[scalar] { return replacement }
    guard scalar.isUnprintable || !unicode else { return String(Character(scalar)) }
    return "\\u{" + String(scalar.value, radix: 16) + "}"
  }

  /// The ASCII replacements for the punctuation that this program prints.
  private static let asciiReplacements: [Unicode.Scalar: String] = [
    "—": "--", "–": "-", "…": "...", "→": "->", "≠": "!=", "‘": "'", "’": "'", "“": "\"",
    "”": "\"",
  ]
}
