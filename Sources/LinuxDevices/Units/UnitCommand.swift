internal import AccessModel

/// One command of `ExecStart=` (systemd.service(5)).
struct UnitCommand: Hashable, Sendable {
  /// How it is started, by its prefix.
  var start: ServiceFacts.Start
  /// The program: a path, or a name that is searched for.
  var program: String
}

extension UnitCommand {
  /// Reads the first word of a command: the marks of its prefix, and the program.
  init(parsing word: String) {
    let marks = word.prefix { "@-:+!|".contains($0) }
    program = String(word.dropFirst(marks.count))
    if marks.contains("+") {
      start = .privileged
    } else {
      // Where the kernel has ambient capabilities, `!!` is as if it were not there.
      start = marks.count { $0 == "!" } == 1 ? .asRoot : .restricted
    }
  }
}
