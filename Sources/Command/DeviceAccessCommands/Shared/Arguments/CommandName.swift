internal import AccessModel

/// The names of the commands, in the order of the help.
enum CommandName: String, CaseIterable, Hashable, Sendable, Encodable {
  case status, list, check, explain, rules, users, watch, top, request, grant, revoke, grants
  case snapshot, decide, completion, help

  /// Finds the command that a user typed.
  ///
  /// - Throws: ``UsageError`` if no command has this name; its message may suggest another name.
  init(typed word: String) throws(UsageError) {
    if let name = CommandName(rawValue: word) {
      self = name
      return
    }
    let names = CommandName.allCases.map(\.rawValue)
    let shown = Escaped(word, limit: 80)
    if OperandReader.isKindOrPath(word) {
      throw UsageError("unknown command '\(shown)'; did you mean 'devaccess check \(shown)'?")
    }
    if CauseCode(rawValue: word.uppercased()) != nil {
      throw UsageError("unknown command '\(shown)'; did you mean 'devaccess help \(shown)'?")
    }
    if let near = Suggestion.nearest(to: word, in: names) {
      throw UsageError("unknown command '\(shown)'; did you mean '\(near)'?")
    }
    throw UsageError(
      "unknown command '\(shown)'; the commands are \(names.listed())")
  }
}
