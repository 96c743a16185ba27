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
