/// A finished command, written so that only certain characters appear in it.
///
/// An escape such as `\u{e9}` within quotes would be another name. So every other character becomes
/// `$'…'` with octal escapes where it stands, and the shell reads the same words as before.
struct ShellCommandText {
  /// How the shell reads the next character.
  private enum Quotes {
    case none
    /// Within `'…'`.
    case single
    /// Within `$'…'`.
    case escaping
  }

  private let scalars: [Unicode.Scalar]
  private let isShown: (Unicode.Scalar) -> Bool

  init(_ command: String, isShown: @escaping (Unicode.Scalar) -> Bool) {
    scalars = Array(command.unicodeScalars)
    self.isShown = isShown
  }

  /// The command; `nil` where it has quotes that no command of ``ShellWord`` has.
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
  /// This text, a command made of words that are ``shellQuoted``, with nothing in it but certain
  /// characters.
  ///
  /// - Parameter isShown: Whether a character may appear; those of ASCII that can be printed must.
  /// - Returns: A command of the same words; `nil` where that cannot be told.
  package func shellCommand(showing isShown: @escaping (Unicode.Scalar) -> Bool) -> String? {
    if unicodeScalars.allSatisfy(isShown) { return self }
    return ShellCommandText(self, isShown: isShown).description
  }
}
