internal import AccessModel

/// The `devaccess help` command, which also implements the option `--help` of every command.
struct HelpCommand {
  /// The command to describe; `nil` for the general help.
  let subject: CommandName?
  /// The cause to describe instead of a command.
  var cause: CauseCode?
}

extension HelpCommand: Command {
  static let declaration = CommandDeclaration(
    name: .help,
    summary: "describe a command or a cause code",
    operand: .optionalTopic,
    details: """
      Without COMMAND, shows the general help. A cause has a code such as GROUP_NOT_MEMBER, which \
      explain prints.
      """,
    examples: [
      ("devaccess help explain", "describe a command"),
      ("devaccess help GROUP_NOT_MEMBER", "describe a cause"),
    ])

  init(_ arguments: CommandArguments) throws(UsageError) {
    guard let word = arguments.operands.first else {
      subject = nil
      return
    }
    cause = CauseCode(rawValue: word.uppercased())
    subject = cause == nil ? try Self.command(word) : nil
  }

  private static func command(_ word: String) throws(UsageError) -> CommandName {
    if let name = CommandName(rawValue: word) { return name }
    let shown = Escaped(word, limit: 80)
    // Compare in lowercase.
    let near =
      Suggestion.nearest(to: word, in: CommandName.allCases.map(\.rawValue))
      ?? Suggestion.nearest(to: word, in: CauseCode.allCases.map { $0.rawValue.lowercased() })?
      .uppercased()
    throw UsageError(
      "unknown command or cause '\(shown)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  func run(_ context: CommandRun) throws -> ExitStatus {
    if let cause { return try context.show(CauseText(cause, style: context.style).text) }
    return try context.show(
      HelpText(commands: context.commands(), style: context.style).text(for: subject))
  }
}

/// Generates the text of `--help` from the declarations of the commands and options.
struct HelpText {
  let commands: [CommandDeclaration]
  let style: Style

  /// Returns the help for a command; the general help if the name is `nil`.
  func text(for name: CommandName?) -> String {
    let lines = commands.first { $0.name == name }.map { self.lines(of: $0) } ?? general
    return lines.joined(separator: "\n") + "\n"
  }

  private var general: [String] {
    var lines = ["Usage: devaccess [COMMAND] [OPTIONS]", ""]
    lines += wrapped(
      "Checks whether a program may use a device or the photo album, and shows why not and how to "
        + "fix it.")
    lines += section("Commands", commands.map { ($0.name.rawValue, $0.summary) })
    lines += section("Options", OptionName.common.map { (Self.spelling($0), $0.help()) })
    lines += kinds(DeviceKind.all)
    lines += section(
      "Exit status",
      [
        ("0", "allowed"), ("1", "refused"), ("2", "undetermined"),
        ("3", "no such device or path"), ("64", "wrong arguments or input"),
        ("70", "internal error"), ("126", "request: COMMAND cannot be run"),
        ("127", "request: COMMAND does not exist"),
      ])
    lines.append("")
    lines += wrapped(
      "Without a command, shows the status. 'devaccess help COMMAND' describes a command, and "
        + "'devaccess help CAUSE' a cause, such as GROUP_NOT_MEMBER. See devaccess(1) for more.")
    return lines
  }

  private func lines(of command: CommandDeclaration) -> [String] {
    var lines = [Self.usage(command), ""]
    lines += wrapped(Self.sentence(command.summary) + " " + command.details)
    lines += section(
      "Options",
      (command.options + OptionName.common).map {
        (Self.spelling($0), $0.help(in: command.name))
      })
    switch command.operand {
    case .kindOrPath, .grantKindOrPath, .kindsOrPaths, .optionalKinds, .optionalKindsOrPaths:
      lines += kinds(DeviceKind.all)
    case .optionalKind, .deviceOrPath, .devicesOrPaths:
      lines += kinds(DeviceKind.all.filter { $0.subsystem != nil })
    case .requestedOrPath:
      let words = command.operand.words
      lines += kinds(DeviceKind.all.filter { words.contains($0.name) })
    case .none, .shell, .optionalTopic: break
    }
    if !command.examples.isEmpty {
      lines += section("Examples", command.examples.map { ($0.line, $0.purpose) })
    }
    return lines + ["", "See devaccess-\(command.name.rawValue)(1) for more."]
  }

  private static func usage(_ command: CommandDeclaration) -> String {
    let operand = command.operand.text
    let options = command.options.isEmpty ? "" : " [OPTIONS]"
    return "Usage: devaccess \(command.name.rawValue)" + (operand.isEmpty ? "" : " \(operand)")
      + options + (command.takesProgram ? " [-- COMMAND [ARGUMENT...]]" : "")
  }

  /// Returns an option in the form that a user types, such as `-o, --output=FILE`.
  static func spelling(_ option: OptionName) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    let value = option.valueName.map { option.valueIsOptional ? "[=\($0)]" : "=\($0)" } ?? ""
    return letter + "--\(option.rawValue)" + value
  }

  private static func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst() + "."
  }

  private func wrapped(_ text: String) -> [String] {
    Wrapping.lines(text, width: style.width)
  }

  private func kinds(_ kinds: [DeviceKind]) -> [String] {
    ["", style.paint("Kinds:", .heading)]
      + Wrapping.lines(
        kinds.map(\.name).joined(separator: " "), width: style.width, first: "  ", rest: "  ")
  }

  /// Returns a heading and rows whose second column is wrapped.
  private func section(
    _ title: String, _ rows: [(name: String, text: String)]
  ) -> [String] {
    let column = (rows.map { Columns.width($0.name) }.max() ?? 0) + 4
    let rest = String(repeating: " ", count: column)
    return ["", style.paint("\(title):", .heading)]
      + rows.flatMap { row in
        let padding = String(repeating: " ", count: column - 2 - Columns.width(row.name))
        return Wrapping.lines(
          row.text, width: style.width, first: "  \(row.name)\(padding)", rest: rest)
      }
  }
}

/// The output of `devaccess help CAUSE`: the section about the cause in the article *Causes*.
struct CauseText {
  let cause: CauseCode
  let style: Style

  init(_ cause: CauseCode, style: Style) {
    self.cause = cause
    self.style = style
  }

  var text: String {
    let heading = "\(cause.rawValue): \(cause.title)"
    var lines = [style.paint(heading, .heading)]
    for paragraph in paragraphs {
      lines.append("")
      lines += Wrapping.lines(paragraph, width: style.width)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The paragraphs below the heading of the cause, each as one line without Markdown markup.
  private var paragraphs: [String] {
    let article = String(decoding: PackageResources.Causes_md, as: UTF8.self)
    let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
    let section = lines.drop { !$0.hasPrefix("### \(cause.rawValue):") }.dropFirst()
      .prefix { !$0.hasPrefix("#") }
    var paragraphs: [String] = []
    var isOpen = false
    for line in section {
      let text = Self.plain(line)
      let isItem = text.hasPrefix("- ")
      if isOpen, !text.isEmpty, !isItem {
        paragraphs[paragraphs.count - 1] += " " + text.drop { $0 == " " }
      } else if !text.isEmpty {
        paragraphs.append(text)
      }
      isOpen = !text.isEmpty
    }
    return paragraphs
  }

  /// Removes the markup for code and emphasis; an asterisk in code is kept, because it belongs to a
  /// path.
  private static func plain(_ line: Substring) -> String {
    var isCode = false
    return String(
      line.filter { character in
        if character == "`" { isCode.toggle() }
        return character != "`" && (isCode || character != "*")
      })
  }
}
