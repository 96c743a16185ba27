internal import AccessModel

/// The completions of a shell, made from the declarations of commands and options.
struct CompletionScript {
  let commands: [CommandDeclaration]

  /// The script for a shell.
  func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The names of capabilities, separated by spaces.
  var capabilities: String {
    CapabilitySet.all.members.map(\.name).joined(separator: " ")
  }

  /// Prints the names of the services that could be started.
  let listUnits =
    "systemctl list-unit-files --type=service --no-legend --no-pager 2>/dev/null"

  /// Prints the grants that the user may revoke; a line that describes one starts with its identifier.
  let listGrants = "devaccess grants 2>/dev/null"
}
