internal import AccessModel
internal import CLinux
internal import Glibc

/// Programs of the system that are run for what has no interface: by absolute path, with an
/// environment of their own.
enum SystemProgram {
  /// Where they are looked for, whatever `PATH` says.
  static let folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]

  /// Where a program lies; `nil` where it is not installed.
  static func path(_ name: String) -> String? {
    folders.map { "\($0)/\(name)" }.first { unsafe access(ByteText($0).cString, X_OK) == 0 }
  }

  /// Runs a program and waits for its end.
  ///
  /// - Parameters:
  ///   - line: Its name and its arguments.
  ///   - isQuiet: Whether what it complains of is of no use to anybody.
  /// - Throws: `ENOENT` where it is not installed, `EAGAIN` where no process can be started.
  /// - Returns: Its exit status, or 128 and the signal that ended it.
  static func run(_ line: [String], isQuiet: Bool = false) throws(Errno) -> Int32 {
    guard let name = line.first, let path = path(name) else { throw .noSuchFile }
    let input = try OwnedDescriptor(
      unsafe open("/dev/null", O_RDWR | O_CLOEXEC))
    let arguments = CStrings(line)
    var variables = ["PATH=\(folders.joined(separator: ":"))", "LC_ALL=C"]
    // Where the manager of a user is found without the bus (sd_bus_open_user(3)).
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
