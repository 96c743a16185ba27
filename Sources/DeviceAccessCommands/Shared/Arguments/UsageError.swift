/// What is wrong with the arguments, as one line that says what to do.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong; untrusted parts are already escaped.
  var problem: String
  /// The command whose help to point to; `nil` for the general help.
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
