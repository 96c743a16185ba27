package import AccessModel
internal import CLinux
internal import Glibc

/// Runs system programs for operations that have no other interface.
///
/// A program is started by its absolute path, with a minimal environment.
enum SystemProgram {
  /// The directories to search for programs, regardless of `PATH`.
  static let folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]

  /// Returns the path of a program; `nil` if it is not installed.
  static func path(_ name: String) -> String? {
    folders.map { "\($0)/\(name)" }.first { unsafe access(ByteText($0).cString, X_OK) == 0 }
  }

  /// Runs a program and waits until it exits.
  ///
  /// - Parameters:
  ///   - line: The name and the arguments.
  ///   - isQuiet: A Boolean value that indicates whether to discard the program's error output.
  /// - Throws: `ENOENT` if the program is not installed, or an error from starting it, such as
  ///   `EAGAIN`.
  /// - Returns: The exit status, or 128 plus the signal that ended the program.
  static func run(_ line: [String], isQuiet: Bool = false) throws(Errno) -> Int32 {
    guard let name = line.first, let path = path(name) else { throw .noSuchFile }
    let input = try OwnedDescriptor(
      unsafe open("/dev/null", O_RDWR | O_CLOEXEC))
    let arguments = CStrings(line)
    var variables = ["PATH=\(folders.joined(separator: ":"))", "LC_ALL=C"]
    // With this variable, the user's manager is found without the bus (sd_bus_open_user(3)).
    if geteuid() != 0 { variables.append("XDG_RUNTIME_DIR=/run/user/\(geteuid())") }
    let environment = CStrings(variables)
    let process = try withExtendedLifetime((arguments, environment)) { () throws(Errno) in
      try Errno.check(
        negated: unsafe clinux_start_program(
          path, arguments.pointers, environment.pointers, input.number, STDOUT_FILENO,
          isQuiet ? input.number : STDERR_FILENO))
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard Errno.current == .interrupted else { throw .current }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }
}

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

/// A NULL-terminated list of C strings.
@safe final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() {
      unsafe pointers[index] = strdup(ByteText(string).cString)
    }
    unsafe pointers[count] = nil
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}

/// The environment that this process was started with.
enum OwnEnvironment {
  /// The variables as `NAME=VALUE`; empty if `/proc` cannot be read.
  static var variables: [String] {
    guard let file = try? BoundedFile.read("/proc/self/environ", limit: 1 << 22) else { return [] }
    return file.bytes.split(separator: 0).map { ByteText(bytes: Array($0)).text }
  }
}
