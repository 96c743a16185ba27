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
