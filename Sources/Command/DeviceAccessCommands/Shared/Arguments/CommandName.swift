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

/// Finds the word that the user probably meant.
enum Suggestion {
  /// Returns the most similar known word; `nil` if no word is similar.
  ///
  /// A word is similar if it starts with the typed text. It is also similar if at most two letters
  /// are missing, added, changed or swapped with a neighbor, and fewer than half of its letters
  /// differ.
  static func nearest(to word: String, in known: [String]) -> String? {
    let typed = Array(word.lowercased().utf8.prefix(longest))
    guard typed.count > 1 else { return nil }
    if let whole = known.first(where: { $0.utf8.starts(with: typed) }) { return whole }
    let distances = known.map { (word: $0, distance: distance(typed, Array($0.utf8))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }),
      best.distance <= min(2, (max(typed.count, best.word.utf8.count) - 1) / 2)
    else { return nil }
    return best.word
  }

  /// The maximum number of bytes to compare, which exceeds the length of every known word.
  private static let longest = 32

  /// Returns the Damerau-Levenshtein distance, which counts adjacent swaps as one change.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var next = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var cost = min(last[column + 1] + 1, next[column] + 1, last[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        next.append(cost)
      }
      before = last
      last = next
    }
    return last[right.count]
  }
}

/// An error in the arguments, described in one line that points to the help.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the problem, in which untrusted parts are already escaped.
  var problem: String
  /// The command whose help the message points to; `nil` for the general help.
  var command: CommandName?

  init(_ problem: String, command: CommandName? = nil) {
    self.problem = problem
    self.command = command
  }

  var description: String {
    let help = command.map { "devaccess \($0.rawValue) --help" } ?? "devaccess --help"
    return problem + (problem.hasSuffix("?") ? " See '\(help)'" : "; see '\(help)'")
  }
}
