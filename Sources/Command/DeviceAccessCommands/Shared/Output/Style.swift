internal import AccessModel
internal import JSONText

/// The formatting of text for an output: colors, character set and width.
struct Style: Hashable, Sendable {
  /// The value of `--color`.
  enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// The meaning of a piece of text, which determines its color.
  enum Tone: CaseIterable, Sendable {
    case good, bad, unsure, heading, faint

    /// The parameter of the SGR escape sequence (ECMA-48).
    var code: String {
      switch self {
      case .good: "32"
      case .bad: "31"
      case .unsure: "33"
      case .heading: "1"
      case .faint: "2"
      }
    }
  }

  var color: Bool
  /// A Boolean value that indicates whether characters outside ASCII can be shown.
  var unicode: Bool
  /// The maximum width of a line, in columns.
  var width = standardWidth

  /// The width for a pipe, or a terminal of unknown size.
  static let standardWidth = 80
  /// The permitted widths; a narrower line would have little space after its indentation.
  private static let widths = 40...400

  static let plain = Style(color: false, unicode: true)

  init(color: Bool, unicode: Bool, width: Int = standardWidth) {
    self.color = color
    self.unicode = unicode
    self.width = width
  }

  /// Derives the style from `--color`, the terminal and the environment.
  ///
  /// The variables are `NO_COLOR`, `TERM`, `COLUMNS`, `LC_ALL`, `LC_CTYPE` and `LANG`. The first
  /// locale variable that is set and not empty determines the encoding; if there is none, the
  /// output is ASCII. `COLUMNS` overrides the size of the terminal.
  init(
    choice: ColorChoice, environment: [String: String], isTerminal: Bool, columns: Int? = nil
  ) {
    let wanted = environment["COLUMNS"].flatMap { Int($0) } ?? columns ?? Self.standardWidth
    width = min(max(wanted, Self.widths.lowerBound), Self.widths.upperBound)
    switch choice {
    case .always: color = true
    case .never: color = false
    case .auto:
      color =
        isTerminal && environment["NO_COLOR", default: ""].isEmpty
        && environment["TERM", default: "dumb"] != "dumb"
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let name = locale?.lowercased() ?? ""
    let isUTF8 =
      name.hasSuffix("utf-8") || name.hasSuffix("utf8") || name.contains("utf-8@")
      || name.contains("utf8@")
    // The Linux console has at most 512 glyphs, and shows the same symbol for all other characters.
    let isConsole = isTerminal && environment["TERM"] == "linux"
    unicode = isUTF8 && !isConsole
  }

  /// Colors a text that is already safe.
  func paint(_ text: String, _ tone: Tone) -> String {
    color && !text.isEmpty ? "\u{1B}[\(tone.code)m\(text)\u{1B}[0m" : text
  }

  /// Escapes untrusted text for this style.
  func safe(_ untrusted: String, limit: Int = 256) -> String {
    Escaped(untrusted, limit: limit, unicode: unicode).description
  }

  /// Makes a shell command, or words of one, safe to print without changing its meaning.
  ///
  /// Characters that cannot be shown are written as `$'…'`, and nothing is cut. A command that
  /// cannot be written this way, or exceeds the maximum length of an argument, becomes a comment.
  func command(_ command: String) -> String {
    let shown = command.shellCommand { !$0.isUnprintable && (unicode || $0.isASCII) }
    guard let shown, shown.utf8.count <= Self.longestCommand else {
      return "# not shown as a command: \(safe(command))"
    }
    return shown
  }

  /// The maximum length of an argument in bytes (`MAX_ARG_STRLEN` of execve(2)).
  private static let longestCommand = 128 << 10

  /// Returns the mark that precedes a step.
  func mark(_ mark: Mark) -> String {
    paint(unicode ? mark.symbol : mark.word, mark.tone)
  }

  /// The width of every mark, in columns.
  var markWidth: Int { unicode ? 1 : 2 }
  var dash: String { unicode ? "—" : "--" }
  var arrow: String { unicode ? "→" : "->" }
  /// The arrow that points from a rule up to the step that it decided.
  var pointer: String { unicode ? "↑" : "^" }
}

/// A mark that shows the outcome of a step.
enum Mark: Sendable {
  case granted, denied, undecided, link

  /// The mark as a symbol, one column wide.
  var symbol: String {
    switch self {
    case .granted: "✓"
    case .denied: "✗"
    case .undecided: "?"
    case .link: "→"
    }
  }

  /// The mark in ASCII, two columns wide.
  var word: String {
    switch self {
    case .granted: "ok"
    case .denied: "NO"
    case .undecided: "??"
    case .link: "->"
    }
  }

  var tone: Style.Tone {
    switch self {
    case .granted: .good
    case .denied: .bad
    case .undecided: .unsure
    case .link: .faint
    }
  }
}

/// Escapes untrusted text for programs that interpret it as markup.
enum Markup {
  /// The default maximum length of a name.
  static let limit = 64

  /// Escapes control characters as ``Escaped`` does, and the characters that are special in XML.
  static func escape(_ text: String, limit: Int = limit) -> String {
    // Iterate over scalars: a `Character` may join a special character and a combining mark.
    Escaped(text, limit: limit).description.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
