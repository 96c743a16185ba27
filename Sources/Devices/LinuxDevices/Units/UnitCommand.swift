internal import AccessModel

/// A command of `ExecStart=` (systemd.service(5)).
struct UnitCommand: Hashable, Sendable {
  /// The privileges with which systemd starts the command, according to its prefix.
  var start: ServiceFacts.Start
  /// The program, as a path or as a name to search for.
  var program: String
}

extension UnitCommand {
  /// Parses the first word of a command, which consists of prefix characters and the program.
  init(parsing word: String) {
    let marks = word.prefix { "@-:+!|".contains($0) }
    program = String(word.dropFirst(marks.count))
    if marks.contains("+") {
      start = .privileged
    } else {
      // The prefix `!!` has no effect if the kernel supports ambient capabilities.
      start = marks.count { $0 == "!" } == 1 ? .asRoot : .restricted
    }
  }
}
