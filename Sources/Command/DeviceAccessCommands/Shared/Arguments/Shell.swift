/// A shell for which completions can be generated.
enum Shell: String, CaseIterable, Hashable, Sendable {
  case bash, zsh, fish
}
