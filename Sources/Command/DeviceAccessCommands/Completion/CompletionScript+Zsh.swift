internal import AccessModel

extension CompletionScript {
  /// The completion script for zsh, which `compinit` can load and a user can source.
  var zsh: String {
    let descriptions = commands.map { "    " + zshQuoted("\($0.name.rawValue):\($0.summary)") }
    let cases = commands.map { command in
      let options = (command.options + OptionName.common).map {
        zshSpecification($0, of: command.name)
      }
      let operand = zshOperand(command.operand).map { [$0] } ?? []
      return """
              \(command.name.rawValue))
                _arguments -s -S : \\
                  \((options + operand).joined(separator: " \\\n            ")) ;;
        """
    }
    return """
      #compdef devaccess
      # zsh completion for devaccess(1), made by 'devaccess completion zsh'.

      _devaccess_units() {
        local -a units=(${${(f)"$(\(listUnits))"}%% *})
        units=(${units:#*@.service})
        compadd -a units
      }

      _devaccess_processes() {
        compadd - /proc/[0-9]##(N:t)
      }

      _devaccess_capabilities() {
        _values -s , capability \\
          \(capabilities)
      }

      # The name of a group behind a sign that adds or removes it.
      _devaccess_groups() {
        compset -P '[+-]'
        _groups
      }

      _devaccess_target() {
        _alternative 'kinds:kind:(\(Operand.kindOrPath.words.joined(separator: " ")))' \\
          'files:path:_files'
      }

      _devaccess_device() {
        _alternative 'kinds:kind:(\(Operand.devicesOrPaths.words.joined(separator: " ")))' \\
          'files:path:_files'
      }

      # Each identifier is shown with the rest of its line.
      _devaccess_grants() {
        local -a grants=(${(M)${(f)"$(\(listGrants))"}:#[0-9a-f](#c16) *})
        compadd "$@" -l -d grants - ${grants%% *}
      }

      _devaccess_grant_or_target() {
        _alternative 'grants:grant:_devaccess_grants' \\
          'kinds:kind:(\(Operand.grantKindOrPath.words.joined(separator: " ")))' 'files:path:_files'
      }

      _devaccess() {
        local curcontext=$curcontext context state state_descr line
        local -A opt_args
        local -a commands=(
      \(descriptions.joined(separator: "\n"))
        )
        _arguments -C : \\
          \(OptionName.common.map { zshSpecification($0, of: nil) }.joined(separator: " \\\n    ")) \\
          '1: :->command' '*:: :->rest' && return
        case $state in
          command) _describe -t commands command commands ;;
          rest)
            case $words[1] in
      \(cases.joined(separator: "\n"))
            esac ;;
        esac
      }

      if [[ ${funcstack[1]} == _devaccess ]]; then
        _devaccess "$@"
      else
        compdef _devaccess devaccess
      fi

      """
  }

  /// Returns an option in the format of `_arguments`.
  private func zshSpecification(_ option: OptionName, of command: CommandName?) -> String {
    let help = option.help(in: command).flatMap { "[]:\\".contains($0) ? "\\\($0)" : String($0) }
    var rest = "[" + String(help) + "]"
    if let value = option.value {
      let name = (option.valueName ?? "").lowercased().replacing("|", with: " or ")
        .replacing(":", with: "\\:")
      rest += (option.valueIsOptional ? "::" : ":") + name + ":" + zshCompletion(of: value)
    }
    let long = "--\(option.rawValue)"
    let suffix = option.value == nil ? "" : option.valueIsOptional ? "=-" : "="
    guard let letter = option.letter else { return zshQuoted(long + suffix + rest) }
    let short = "-\(letter)" + (option.value == nil ? "" : "+")
    return zshQuoted("(-\(letter) \(long))") + "{\(short),\(long)\(suffix)}" + zshQuoted(rest)
  }

  private func zshCompletion(of value: OptionValue) -> String {
    switch value {
    case .file: "_files"
    case .ruleFile: "_files -g \"*.rules\""
    case .user: "_users"
    case .process: "_devaccess_processes"
    case .unit: "_devaccess_units"
    case .groups: "_sequence _devaccess_groups"
    case .capabilities: "_devaccess_capabilities"
    case .words(let words): "(" + words.joined(separator: " ") + ")"
    case .unlisted: " "
    }
  }

  private func zshOperand(_ operand: Operand) -> String? {
    switch operand {
    case .none: nil
    case .kindOrPath: "'1: :_devaccess_target'"
    case .grantKindOrPath: "'1: :_devaccess_grant_or_target'"
    case .deviceOrPath: "'1: :_devaccess_device'"
    case .requestedOrPath:
      "'1: :{ compadd \(operand.words.joined(separator: " ")); _files }' '*:::command:_normal'"
    case .kindsOrPaths, .optionalKindsOrPaths: "'*: :_devaccess_target'"
    case .devicesOrPaths: "'*: :_devaccess_device'"
    case .optionalKind: "'1:kind:(\(operand.words.joined(separator: " ")))'"
    case .shell: "'1:shell:(\(operand.words.joined(separator: " ")))'"
    case .optionalKinds: "'*:kind:(\(operand.words.joined(separator: " ")))'"
    case .optionalTopic:
      "'1: :{ _describe -t commands command commands; compadd "
        + CauseCode.allCases.map(\.rawValue).joined(separator: " ") + " }'"
    }
  }

  private func zshQuoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
