internal import AccessModel
internal import JSONText

/// Untrusted text made safe for a terminal, a log and a mail.
///
/// Names come from hardware, from file systems and from other users. Control characters (also
/// the escape that begins a terminal sequence, and its one-byte forms from U+0080 on),
/// characters that reorder or hide text, and bytes that are not UTF-8 are shown as escapes such as
/// `\x1b`, `\u{202e}` and `\xff`; the length is bounded.
struct Escaped: Hashable, Sendable, CustomStringConvertible {
  /// The safe text: one line.
  let description: String

  /// Escapes a text and cuts it after `limit` characters of output, with an ellipsis.
  ///
  /// - Parameters:
  ///   - untrusted: The text.
  ///   - limit: The most characters of output, without the ellipsis.
  ///   - unicode: `false` escapes everything outside ASCII.
  init(_ untrusted: String, limit: Int = 256, unicode: Bool = true) {
    // Most text has nothing to escape.
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

  /// A text that is safe already, with nothing outside ASCII.
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

  /// What stands for our own punctuation where only ASCII can be shown.
  private static let asciiReplacements: [Unicode.Scalar: String] = [
    "—": "--", "–": "-", "…": "...", "→": "->", "≠": "!=", "‘": "'", "’": "'", "“": "\"",
    "”": "\"",
  ]
}
