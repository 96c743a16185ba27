internal import AccessModel

/// The text of `--help`, made from the declarations of commands and options.
enum HelpText {
  /// The help of one command, or the general one.
  static func text(for command: Command?, style: Style) -> String {
    let text = command.map { Self.lines(for: $0, style: style) } ?? general(style: style)
    return text.joined(separator: "\n") + "\n"
  }

  private static func general(style: Style) -> [String] {
    var lines = ["Usage: devaccess [COMMAND] [OPTIONS]", ""]
    lines += wrapped(
      "May this program use the camera or the photo album? If not, why, and what would change it?",
      style)
    lines += section("Commands", Command.allCases.map { ($0.rawValue, $0.summary) }, style)
    lines += section("Options", Command.commonOptions.map { (spelling($0), $0.help) }, style)
    lines += kinds(DeviceKind.all, style)
    lines += section(
      "Exit status",
      [
        ("0", "allowed"), ("1", "refused"), ("2", "undetermined"),
        ("3", "no such device or path"), ("64", "wrong arguments or input"),
        ("70", "internal error"),
      ], style)
    lines.append("")
    lines += wrapped(
      "Without a command, shows the status. 'devaccess help COMMAND' describes a command.", style)
    return lines
  }

  private static func lines(for command: Command, style: Style) -> [String] {
    var lines = [usage(command), ""]
    lines += wrapped(sentence(command.summary) + " " + command.details, style)
    lines += section(
      "Options", (command.options + Command.commonOptions).map { (spelling($0), $0.help) }, style)
    switch command.operand {
    case .kindOrPath, .kindsOrPaths: lines += kinds(DeviceKind.all, style)
    case .optionalKind: lines += kinds(DeviceKind.all.filter { $0.subsystem != nil }, style)
    case .none, .shell, .optionalCommand: break
    }
    if !command.examples.isEmpty {
      lines += section("Examples", command.examples.map { ($0.line, $0.purpose) }, style)
    }
    return lines
  }

  private static func usage(_ command: Command) -> String {
    let operand = command.operand.text
    let options = command.options.isEmpty ? "" : " [OPTIONS]"
    return "Usage: devaccess \(command.rawValue)" + (operand.isEmpty ? "" : " \(operand)") + options
  }

  /// An option as it is typed, such as `-o, --output=FILE`.
  static func spelling(_ option: OptionName) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    let value = option.valueName.map { option.valueIsOptional ? "[=\($0)]" : "=\($0)" } ?? ""
    return letter + "--\(option.rawValue)" + value
  }

  private static func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst() + "."
  }

  private static func wrapped(_ text: String, _ style: Style) -> [String] {
    Wrapping.lines(text, width: style.width)
  }

  private static func kinds(_ kinds: [DeviceKind], _ style: Style) -> [String] {
    ["", style.paint("Kinds:", .heading)]
      + Wrapping.lines(
        kinds.map(\.name).joined(separator: " "), width: style.width, first: "  ", rest: "  ")
  }

  /// A heading, and rows whose second column is wrapped.
  private static func section(
    _ title: String, _ rows: [(name: String, text: String)], _ style: Style
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
