extension CompletionScript {
  /// The completion script for fish 3 and later.
  var fish: String {
    var lines = [
      "# fish completion for devaccess(1), made by 'devaccess completion fish'.", "",
      "function __devaccess_units",
      "  \(listUnits) | string replace -r '\\s.*' '' | string match -v '*@.service'",
      "end", "",
      "# Each group, and behind a sign that adds or removes it.",
      "function __devaccess_groups",
      "  set -l groups (__fish_complete_groups | string replace -r '\\t.*' '')",
      "  __fish_append , $groups +$groups -$groups",
      "end", "",
      "# The identifier of each grant, with the rest of its line as the description.",
      "function __devaccess_grants",
      "  \(listGrants) | string replace -rf '^([0-9a-f]{16})\\s+(.*)$' '$1\\t$2'",
      "end", "",
      "# Whether it is behind \"--\".",
      "function __devaccess_is_behind",
      "  contains -- -- (commandline -opc)",
      "end", "",
      "# What the shell has for the command there.",
      "function __devaccess_rest",
      "  set -l words (commandline -opc)",
      "  set -e words[1..(contains -i -- -- $words)]",
      "  complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))",
      "end", "",
      "complete -c devaccess -f",
    ]
    lines += OptionName.common.map { "complete -c devaccess " + fishOption($0, of: nil) }
    for command in commands {
      lines.append(
        "complete -c devaccess -n __fish_use_subcommand -a \(command.name.rawValue) -d "
          + fishQuoted(command.summary))
    }
    for command in commands {
      let seen = "__fish_seen_subcommand_from \(command.name.rawValue)"
      let start = "complete -c devaccess -n '\(seen)' "
      let words = command.operand.words
      let takesCommand = command.operand == .requestedOrPath
      // Combine the conditions, because several -n options require fish 3.4.
      if takesCommand {
        lines.append(
          "complete -c devaccess -n '\(seen); and __devaccess_is_behind' -a '(__devaccess_rest)'")
      }
      if !words.isEmpty {
        let files = command.operand.takesPaths ? "-F " : ""
        let place =
          takesCommand
          ? "complete -c devaccess -n '\(seen); and not __devaccess_is_behind' " : start
        lines.append(place + files + "-a " + fishQuoted(words.joined(separator: " ")))
      }
      if command.operand == .grantKindOrPath { lines.append(start + "-a '(__devaccess_grants)'") }
      lines += command.options.map { start + fishOption($0, of: command.name) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishOption(_ option: OptionName, of command: CommandName?) -> String {
    var text = option.letter.map { "-s \($0) " } ?? ""
    text += "-l \(option.rawValue) "
    if let value = option.value { text += fishCompletion(of: value) }
    return text + "-d " + fishQuoted(option.help(in: command))
  }

  private func fishCompletion(of value: OptionValue) -> String {
    switch value {
    case .file: "-r -F "
    case .ruleFile: "-x -k -a '(__fish_complete_suffix .rules)' "
    case .user: "-x -a '(__fish_complete_users)' "
    case .process: "-x -a '(__fish_complete_pids)' "
    case .unit: "-x -a '(__devaccess_units)' "
    case .groups: "-x -a '(__devaccess_groups)' "
    case .capabilities: "-x -a '(__fish_append , \(capabilities))' "
    case .words(let words): "-x -a '\(words.joined(separator: " "))' "
    // fish cannot complete an optional value, which must follow "=".
    case .unlisted: ""
    }
  }

  private func fishQuoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
