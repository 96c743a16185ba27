/// One word of a shell command, quoted so that the shell reads back exactly the text it was
/// made from, or the bytes that the text stands for (``ByteText``).
///
/// Names of devices, paths and users come from hardware and from other users; an unquoted one
/// would run as a command.
struct ShellWord: Hashable, Sendable, CustomStringConvertible {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The quoted word: bare when nothing in it is special, in single quotes when it can be
  /// printed, else as `$'…'` with octal escapes (bash, zsh, ksh).
  ///
  /// Octal, because a hexadecimal escape swallows the digits that follow it in some shells. A quote
  /// and a backslash are such escapes, too: for a shell that does not know `$'…'`, such as dash, the
  /// word is then another name, but one word, and nothing behind it runs.
  var description: String {
    if text.isEmpty { return "''" }
    if isPlain { return text }
    if text.unicodeScalars.allSatisfy(Self.isPrintable) {
      // By scalars, as the shell reads bytes: a mark that follows a quote makes one character of both.
      return "'"
        + text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        .map(String.init).joined(separator: #"'\''"#) + "'"
    }
    var quoted = "$'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'", "\\": quoted += Self.octal(scalar)
      case "\n": quoted += #"\n"#
      case "\t": quoted += #"\t"#
      case _ where Self.isPrintable(scalar): quoted.unicodeScalars.append(scalar)
      default: quoted += Self.octal(scalar)
      }
    }
    return quoted + "'"
  }

  /// The bytes of a character, as escapes of three octal digits within `$'…'`.
  static func octal(_ scalar: Unicode.Scalar) -> String {
    ByteText(String(scalar)).bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  /// Whether the shell gives no byte of the word a meaning.
  ///
  /// A word with a sign of equality is an assignment where it begins with a name, and never where it
  /// begins with a hyphen.
  private var isPlain: Bool {
    // Behind the sign some shells expand a tilde as well, which no plain byte is.
    let isOption = text.utf8.first == UInt8(ascii: "-")
    return text.utf8.allSatisfy { Self.isPlain($0) || isOption && $0 == UInt8(ascii: "=") }
  }

  /// Whether the shell gives the byte no meaning, wherever it stands in a word.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","),
      UInt8(ascii: "@"), UInt8(ascii: "%"), UInt8(ascii: "+"):
      true
    default: false
    }
  }

  /// Whether a terminal shows the scalar as itself: no control, no format character (which can
  /// reorder the line), no separator of lines, nothing unassigned.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    case .spaceSeparator: scalar == " "
    default: true
    }
  }
}

extension String {
  /// This text as one word of a shell command.
  package var shellQuoted: String { ShellWord(self).description }

  /// This text as an operand of a command that reads options by getopt_long(3), behind `--` where
  /// it would be one.
  var shellOperand: String { (utf8.first == UInt8(ascii: "-") ? "-- " : "") + shellQuoted }
}
