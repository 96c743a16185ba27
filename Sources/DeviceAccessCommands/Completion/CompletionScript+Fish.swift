extension CompletionScript {
  /// The script for fish 3 and later.
  var fish: String {
    var lines = [
      "# fish completion for devaccess(1), made by 'devaccess completion fish'.", "",
      "function __devaccess_units",
      "  \(listUnits) | string replace -r '\\s.*' '' | string match -v '*@.service'",
      "end", "",
      "complete -c devaccess -f",
    ]
    lines += OptionName.common.map { "complete -c devaccess " + fishOption($0) }
    for command in commands {
      lines.append(
        "complete -c devaccess -n __fish_use_subcommand -a \(command.name.rawValue) -d "
          + fishQuoted(command.summary))
    }
    for command in commands {
      let start =
        "complete -c devaccess -n '__fish_seen_subcommand_from \(command.name.rawValue)' "
      let words = command.operand.words
      if !words.isEmpty {
        let files = command.operand.takesPaths ? "-F " : ""
        lines.append(start + files + "-a " + fishQuoted(words.joined(separator: " ")))
      }
      lines += command.options.map { start + fishOption($0) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishOption(_ option: OptionName) -> String {
    var text = option.letter.map { "-s \($0) " } ?? ""
    text += "-l \(option.rawValue) "
    if let value = option.value { text += fishCompletion(of: value) }
    return text + "-d " + fishQuoted(option.help)
  }

  private func fishCompletion(of value: OptionValue) -> String {
    switch value {
    case .file: "-r -F "
    case .user: "-x -a '(__fish_complete_users)' "
    case .process: "-x -a '(__fish_complete_pids)' "
    case .unit: "-x -a '(__devaccess_units)' "
    case .groups: "-x -a '(__fish_append , (__fish_complete_groups))' "
    case .capabilities: "-x -a '(__fish_append , \(capabilities))' "
    case .words(let words): "-x -a '\(words.joined(separator: " "))' "
    // A number that may be left out follows "=", which fish cannot express.
    case .unlisted: ""
    }
  }

  private func fishQuoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
