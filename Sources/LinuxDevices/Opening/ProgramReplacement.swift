package import AccessModel
internal import CLinux

/// Makes this process another program (execve(2)).
package enum ProgramReplacement {
  /// Becomes a program, with one more descriptor or none, and the signals as a shell gives them.
  ///
  /// The program is found as execvp(3) does. All threads of this process end.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments; not empty.
  ///   - variables: What is added to the environment that this process was started with.
  ///   - descriptor: The descriptor that the program inherits; `nil` for none.
  /// - Returns: Why it could not; the descriptor is closed on execve(2) again.
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
