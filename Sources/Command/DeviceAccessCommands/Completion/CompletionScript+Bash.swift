extension CompletionScript {
  /// The completion script for bash 4 and later.
  var bash: String {
    let names = commands.map(\.name.rawValue).joined(separator: " ")
    let cases = commands.map { command in
      let options = (command.options + OptionName.common).map(\.spelling)
      let paths = command.operand.takesPaths ? " paths=1" : ""
      let grants = command.operand == .grantKindOrPath ? " grants=1" : ""
      return """
            \(command.name.rawValue))
              options='\(options.joined(separator: " "))'
              operands='\(command.operand.words.joined(separator: " "))'\(paths)\(grants) ;;
        """
    }
    let takers = OptionName.allCases.filter { $0.value != nil && !$0.valueIsOptional }
      .flatMap { option in
        (option.letter.map { ["-\($0)"] } ?? []) + ["--\(option.rawValue)"]
      }
    let runners = commands.filter { $0.operand == .requestedOrPath }.map(\.name.rawValue)
    let values = OptionName.allCases.compactMap { option -> String? in
      guard let value = option.value, value != .unlisted else { return nil }
      let letter = option.letter.map { "-\($0)|" } ?? ""
      return """
            \(letter)--\(option.rawValue))
              \(bashCompletion(of: value))
              return ;;
        """
    }
    return """
      # bash completion for devaccess(1), made by 'devaccess completion bash'.

      # Completes one of the words in $1.
      _devaccess_words() {
        mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
      }

      # Completes the last item of a list with commas; an item may have a sign.
      _devaccess_list() {
        local head=${current%"${current##*,}"} item=${current##*,}
        if [[ $item == [+-]* ]]; then
          head+=${item:0:1} item=${item:1}
        fi
        mapfile -t COMPREPLY < <(compgen -P "$head" -W "$1" -- "$item")
        compopt -o nospace 2>/dev/null
      }

      # Adds names of files; readline then puts a slash and no space behind a directory.
      _devaccess_files() {
        local files
        mapfile -t files < <(compgen -f -- "$current")
        COMPREPLY+=("${files[@]}")
        compopt -o filenames 2>/dev/null
      }

      # The identifiers of grants, which start the lines of their list.
      _devaccess_grants() {
        local word
        \(listGrants) | while read -r word _; do
          [[ $word =~ ^[0-9a-f]{16}$ ]] && echo "$word"
        done
      }

      # Completes files of udev rules and directories.
      _devaccess_rule_files() {
        mapfile -t COMPREPLY < <(compgen -d -- "$current"; compgen -f -X '!*.rules' -- "$current")
        compopt -o filenames 2>/dev/null
      }

      _devaccess() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local command= options= operands= paths= grants= rest= i
        COMPREPLY=()
        # Where "=" breaks words, a value after it is a word of its own.
        if [[ $current == = ]]; then
          current=
        elif [[ $previous == = && $COMP_CWORD -gt 1 ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        # The first word that is neither an option nor its value is the command.
        for ((i = 1; i < COMP_CWORD; i++)); do
          case ${COMP_WORDS[i]} in
            --) rest=$((i + 1)); break ;;
            =) ((i += 1)) ;;
            \(takers.joined(separator: "|")))
              [[ ${COMP_WORDS[i+1]} == = ]] || ((i += 1)) ;;
            -*) ;;
            *) command=${command:-${COMP_WORDS[i]}} ;;
          esac
        done
        # Behind "--" there is no option: a command of the shell's, or what is left to be named.
        if [[ $rest && $command == @(\(runners.joined(separator: "|"))) ]]; then
          if ((COMP_CWORD == rest)); then
            mapfile -t COMPREPLY < <(compgen -c -- "$current")
          else
            _devaccess_files
          fi
          return
        fi
        [[ $rest ]] || case $previous in
      \(values.joined(separator: "\n"))
        esac
        case $command in
          '')
            options='\(OptionName.common.map(\.spelling).joined(separator: " "))'
            operands='\(names)' ;;
      \(cases.joined(separator: "\n"))
        esac
        if [[ ! $rest && $current == -* ]]; then
          _devaccess_words "$options"
          [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
        else
          [[ $grants ]] && operands+=" $(_devaccess_grants)"
          _devaccess_words "$operands"
          [[ $paths ]] && _devaccess_files
        fi
      }
      complete -F _devaccess devaccess

      """
  }

  private func bashCompletion(of value: OptionValue) -> String {
    switch value {
    case .file: "_devaccess_files"
    case .ruleFile: "_devaccess_rule_files"
    case .user: "mapfile -t COMPREPLY < <(compgen -u -- \"$current\")"
    case .process: "_devaccess_words \"$(cd /proc && echo [0-9]*)\""
    case .unit:
      "_devaccess_words \"$(\(listUnits) | while read -r word _; do "
        + "[[ $word == *@.service ]] || echo \"$word\"; done)\""
    case .groups: "_devaccess_list \"$(compgen -g)\""
    case .capabilities: "_devaccess_list '\(capabilities)'"
    case .words(let words): "_devaccess_words '\(words.joined(separator: " "))'"
    case .unlisted: ":"
    }
  }
}
