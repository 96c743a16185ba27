internal import AccessModel

/// The text of `--help`, made from the declarations of commands and options.
enum HelpText {
  /// The help of one command, or the general one.
  static func text(for command: Command?, style: Style) -> String {
    command.map { text(for: $0, style: style) } ?? general(style: style)
  }

  private static func general(style: Style) -> String {
    var lines = ["Usage: devaccess [COMMAND] [OPTIONS]", ""]
    lines.append("May this program use the camera or the photo album? Why not? How to change it?")
    section("Commands", Command.allCases.map { ($0.rawValue, $0.summary) }, &lines, style)
    section("Options", Command.commonOptions.map { (spelling($0), $0.help) }, &lines, style)
    lines += ["", style.paint("Kinds:", .heading)]
    lines.append("  " + DeviceKind.all.map(\.name).joined(separator: " "))
    section(
      "Exit status",
      [
        ("0", "allowed"), ("1", "refused"), ("2", "undetermined"),
        ("3", "no such device or path"), ("64", "wrong arguments or input"),
        ("70", "internal error"),
      ], &lines, style)
    lines += ["", "Without a command: status. 'devaccess COMMAND --help' tells more."]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(for command: Command, style: Style) -> String {
    var lines = [usage(command), "", sentence(command.summary)]
    lines += command.details
    section(
      "Options", (command.options + Command.commonOptions).map { (spelling($0), $0.help) },
      &lines, style)
    if command.operand == .kindOrPath || command.operand == .optionalKind {
      let kinds = DeviceKind.all.filter {
        command.operand == .kindOrPath || $0.subsystem != nil
      }
      lines += ["", style.paint("Kinds:", .heading)]
      lines.append("  " + kinds.map(\.name).joined(separator: " "))
    }
    if !command.examples.isEmpty {
      section("Examples", command.examples.map { ($0.line, $0.purpose) }, &lines, style)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func usage(_ command: Command) -> String {
    let operand = command.operand.text
    return "Usage: devaccess \(command.rawValue)" + (operand.isEmpty ? "" : " \(operand)")
      + " [OPTIONS]"
  }

  /// An option as it is typed, such as `-o, --output FILE`.
  static func spelling(_ option: OptionName) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    let value = option.valueName.map { option.valueIsOptional ? "[=\($0)]" : "=\($0)" } ?? ""
    return letter + "--\(option.rawValue)" + value
  }

  private static func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst() + "."
  }

  private static func section(
    _ title: String, _ rows: [(String, String)], _ lines: inout [String], _ style: Style
  ) {
    lines += ["", style.paint("\(title):", .heading)]
    var columns = Columns()
    for (name, text) in rows { columns.add([name, text]) }
    lines += columns.lines(style: style).map { "  " + $0 }
  }
}
