package import AccessModel
internal import CLinux

/// Replaces this process with another program (execve(2)).
package enum ProgramReplacement {
  /// Executes a program in place of this process.
  ///
  /// The program is searched for as in execvp(3). It starts with no blocked signals, and with the
  /// default action for `SIGPIPE` and `SIGXFSZ`. All threads of this process end.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments; not empty.
  ///   - variables: Variables to add to this process's initial environment.
  ///   - descriptor: A descriptor that the program inherits; `nil` for none.
  /// - Returns: The error, if the program could not be executed. The descriptor is then
  ///   close-on-exec again.
  package static func run(
    _ words: [String], adding variables: [(name: String, value: String)] = [],
    keeping descriptor: Int32? = nil
  ) -> Errno {
    let added = variables.map { "\($0.name)=" }
    let arguments = CStrings(words)
    let environment = CStrings(
      OwnEnvironment.variables.filter { variable in !added.contains { variable.hasPrefix($0) } }
        + variables.map { "\($0.name)=\($0.value)" })
    let result = withExtendedLifetime((arguments, environment)) {
      unsafe clinux_become_program(arguments.pointers, environment.pointers, descriptor ?? -1)
    }
    return Errno(negated: result)
  }
}
