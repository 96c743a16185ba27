/// A shell that completions are made for.
enum Shell: String, CaseIterable, Hashable, Sendable {
  case bash, zsh, fish
}
