internal import AccessModel
internal import JSONText

/// How text is dressed for the place where it is shown.
struct Style: Hashable, Sendable {
  /// The value of `--color`.
  enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// What a piece of text means, and so its colour.
  enum Tone: CaseIterable, Sendable {
    case good, bad, unsure, heading, faint

    /// The parameters of the SGR sequence (ECMA-48).
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
  /// Whether characters outside ASCII can be shown.
  var unicode: Bool
  /// How many columns a line may take.
  var width = standardWidth

  /// The width of a classic terminal: for a pipe, and where nothing is known.
  static let standardWidth = 80
  /// Narrower lines would hold little more than their indentation.
  private static let widths = 40...400

  static let plain = Style(color: false, unicode: true)

  init(color: Bool, unicode: Bool, width: Int = standardWidth) {
    self.color = color
    self.unicode = unicode
    self.width = width
  }

  /// Follows the option, `NO_COLOR`, `TERM`, `COLUMNS` and the locale.
  ///
  /// The locale's variables are those of setlocale(3), the first that is set and not empty; the
  /// C locale means ASCII. `COLUMNS` counts more than the terminal's own size.
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
    // The kernel's console has at most 512 glyphs, and shows every other character as the same one.
    let isConsole = isTerminal && environment["TERM"] == "linux"
    unicode = isUTF8 && !isConsole
  }

  /// Colours text that is already safe.
  func paint(_ text: String, _ tone: Tone) -> String {
    color && !text.isEmpty ? "\u{1B}[\(tone.code)m\(text)\u{1B}[0m" : text
  }

  /// Makes untrusted text safe to show.
  func safe(_ untrusted: String, limit: Int = 256) -> String {
    Escaped(untrusted, limit: limit, unicode: unicode).description
  }

  /// Makes a finished command, or words of one, safe to show and still the same to a shell.
  ///
  /// What cannot be shown becomes `$'…'`, and nothing is cut; what cannot be shown that way, or is too
  /// long for any shell, becomes a comment, which does nothing.
  func command(_ command: String) -> String {
    let shown = command.shellCommand { !$0.isUnprintable && (unicode || $0.isASCII) }
    guard let shown, shown.utf8.count <= Self.longestCommand else {
      return "# not shown as a command: \(safe(command))"
    }
    return shown
  }

  /// The most bytes of an argument (`MAX_ARG_STRLEN` of execve(2)).
  private static let longestCommand = 128 << 10

  /// The mark before a step.
  func mark(_ mark: Mark) -> String {
    paint(unicode ? mark.symbol : mark.word, mark.tone)
  }

  /// How many columns every mark takes.
  var markWidth: Int { unicode ? 1 : 2 }
  var dash: String { unicode ? "—" : "--" }
  var arrow: String { unicode ? "→" : "->" }
  /// What points from a rule up to the line that it decided.
  var pointer: String { unicode ? "↑" : "^" }
}
