/// A word of a shell command, quoted so that the shell reads exactly the original text.
///
/// If the text represents other bytes (``ByteText``), the shell reads those bytes. The names of
/// devices, paths and users come from hardware and from other users. Without quotes, such a name
/// could run as a command.
struct ShellWord: Hashable, Sendable, CustomStringConvertible {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The quoted word.
  ///
  /// A word without special characters has no quotes, and a printable word is in single quotes. Any
  /// other word is `$'…'` with octal escapes, which bash, zsh and ksh support. The escapes are
  /// octal because some shells read a hexadecimal escape together with the digits that follow it.
  /// Quotes and backslashes are also escaped. In a shell without `$'…'`, such as dash, the result
  /// is then a different name but still one word, and nothing after it runs as a command.
  var description: String {
    if text.isEmpty { return "''" }
    if isPlain { return text }
    if text.unicodeScalars.allSatisfy(Self.isPrintable) {
      // Split by scalars, because the shell reads bytes: Swift combines a quote and a following
      // combining mark into one character.
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

  /// Returns the bytes of a character as escapes of three octal digits for use in `$'…'`.
  static func octal(_ scalar: Unicode.Scalar) -> String {
    ByteText(String(scalar)).bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  /// A Boolean value that indicates whether no byte of the word has a special meaning to the shell.
  ///
  /// A word with an equals sign can be an assignment, unless the word starts with a hyphen.
  private var isPlain: Bool {
    // Some shells expand a tilde after the equals sign, but a tilde is not a plain byte.
    let isOption = text.utf8.first == UInt8(ascii: "-")
    return text.utf8.allSatisfy { Self.isPlain($0) || isOption && $0 == UInt8(ascii: "=") }
  }

  /// Returns whether a byte has no special meaning to the shell at any position in a word.
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

  /// Returns whether a terminal displays a scalar as itself.
  ///
  /// Control and format characters, which can reorder the line, are excluded, as are separators
  /// other than a space, private-use characters and unassigned code points.
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
  /// This text as a word of a shell command.
  package var shellQuoted: String { ShellWord(self).description }

  /// This text as an operand of a command that uses getopt_long(3), preceded by `--` if it would
  /// otherwise be an option.
  var shellOperand: String { (utf8.first == UInt8(ascii: "-") ? "-- " : "") + shellQuoted }
}

/// A shell command that is rewritten to contain only certain characters.
///
/// Each other character is replaced by octal escapes in `$'…'`, so the shell reads the same words
/// as before. An escape such as `\u{e9}` within quotes would name another file.
struct ShellCommandText {
  /// The quoting that applies to the next character.
  private enum Quotes {
    case none
    /// Inside `'…'`.
    case single
    /// Inside `$'…'`.
    case escaping
  }

  private let scalars: [Unicode.Scalar]
  private let isShown: (Unicode.Scalar) -> Bool

  init(_ command: String, isShown: @escaping (Unicode.Scalar) -> Bool) {
    scalars = Array(command.unicodeScalars)
    self.isShown = isShown
  }

  /// The rewritten command; `nil` if the command has quoting that ``ShellWord`` never produces.
  var description: String? {
    var text = String.UnicodeScalarView()
    var quotes = Quotes.none
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      guard isShown(scalar) else {
        let end = scalars[index...].firstIndex(where: isShown) ?? scalars.endIndex
        let escapes = scalars[index..<end].map(ShellWord.octal).joined()
        index = end
        switch quotes {
        case .none: text += "$'\(escapes)'".unicodeScalars
        case .single: text += "'$'\(escapes)''".unicodeScalars
        case .escaping: text += escapes.unicodeScalars
        }
        continue
      }
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch (quotes, scalar) {
      case (.none, "\""), (.none, "`"): return nil
      case (.none, "'"): quotes = .single
      case (.none, "$") where next == "'":
        quotes = .escaping
        text.append(scalar)
        index += 1
      case (.none, "\\"), (.escaping, "\\"):
        guard let next, isShown(next) else { return nil }
        text.append(scalar)
        index += 1
      case (.single, "'"), (.escaping, "'"): quotes = .none
      default: break
      }
      text.append(scalars[index])
      index += 1
    }
    return quotes == .none ? String(text) : nil
  }
}

extension String {
  /// Returns this command, rewritten to contain only certain characters.
  ///
  /// The command must consist of words that are ``shellQuoted``.
  ///
  /// - Parameter isShown: Returns whether a character may appear in the result. It must return
  ///   `true` for printable ASCII characters.
  /// - Returns: A command with the same words; `nil` if its quoting is not recognized.
  package func shellCommand(showing isShown: @escaping (Unicode.Scalar) -> Bool) -> String? {
    if unicodeScalars.allSatisfy(isShown) { return self }
    return ShellCommandText(self, isShown: isShown).description
  }
}
