internal import AccessModel

/// Generates shell completions from the declarations of the commands and options.
struct CompletionScript {
  let commands: [CommandDeclaration]

  /// Returns the completion script for a shell.
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

  /// A shell command that lists the services that can be started, one per line.
  let listUnits =
    "systemctl list-unit-files --type=service --no-legend --no-pager 2>/dev/null"

  /// A shell command that lists the grants; the line of each grant starts with its identifier.
  let listGrants = "devaccess grants 2>/dev/null"
}
