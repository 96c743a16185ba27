internal import AccessModel

/// A completion script for bash, made from the declarations of commands and options.
enum CompletionScript {
  static var bash: String {
    let commands = Command.allCases.map(\.rawValue).joined(separator: " ")
    let kinds = DeviceKind.all.map(\.name).joined(separator: " ")
    let devices = DeviceKind.all.filter { $0.subsystem != nil }.map(\.name)
      .joined(separator: " ")
    let cases = Command.allCases.map { command in
      let options = (command.options + Command.commonOptions).map { option in
        "--\(option.rawValue)" + (option.valueName == nil || option.valueIsOptional ? "" : "=")
      }
      let operands =
        switch command.operand {
        case .none: "operands="
        case .optionalKind: "operands='\(devices)'"
        case .kindOrPath: "operands='\(kinds)' paths=1"
        case .shell: "operands=bash"
        }
      return """
            \(command.rawValue))
              options='\(options.joined(separator: " "))'
              \(operands) ;;
        """
    }
    let general = Command.commonOptions.map { option in
      "--\(option.rawValue)" + (option.valueName == nil || option.valueIsOptional ? "" : "=")
    }
    let files = OptionName.allCases.filter { $0.valueName == "FILE" }
    let filePatterns = files.flatMap { option in
      ["--\(option.rawValue)"] + (option.letter.map { ["-\($0)"] } ?? [])
    }
    return """
      # bash completion for devaccess(1), made by 'devaccess completion bash'.

      _devaccess() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local command= options= operands= paths= word
        # A value after "=" is a word of its own when "=" breaks words.
        if [[ $current == = ]]; then
          current=
        elif [[ $previous == = && $COMP_CWORD -gt 1 ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        case $previous in
          \(filePatterns.joined(separator: "|")))
            COMPREPLY=($(compgen -f -- "$current"))
            return ;;
          --color)
            COMPREPLY=($(compgen -W '\(OptionName.color.values.joined(separator: " "))' -- "$current"))
            return ;;
        esac
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          [[ $word == -* ]] || { command=$word; break; }
        done
        case $command in
          '')
            options='\(general.joined(separator: " "))'
            operands='\(commands)' ;;
      \(cases.joined(separator: "\n"))
        esac
        if [[ $current == -* ]]; then
          COMPREPLY=($(compgen -W "$options" -- "$current"))
          [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
        else
          COMPREPLY=($(compgen -W "$operands" -- "$current"))
          [[ $paths && $current == */* ]] && COMPREPLY+=($(compgen -f -- "$current"))
        fi
      }
      complete -F _devaccess devaccess

      """
  }
}
