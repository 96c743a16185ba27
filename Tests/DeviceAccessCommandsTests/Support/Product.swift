import Foundation
import Glibc
import LinuxTestSupport

/// The built command, run as a separate process.
struct Product {
  /// The exit status and output of the command.
  struct Result {
    var output: String
    var errors: String
    /// The exit status, or 128 plus the number of the signal.
    var status: Int32
  }

  /// The path of the command, next to the test bundle; `nil` if it was not built.
  static let path: String? = BuiltProgram.path("devaccess")

  private static func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe strings.map { (string: String) in unsafe strdup(string) } + [nil]
  }

  /// Runs a shell script and waits for it.
  ///
  /// In the script, `$devaccess` is the command, and `$broken` is a program that runs a command on
  /// a broken system.
  static func run(_ script: String) throws -> Result {
    guard let path else { throw TestFailure(description: "devaccess was not built") }
    let output = try TemporaryFile()
    let errors = try TemporaryFile()
    let line = "{ \(script)\n} >\(output.path) 2>\(errors.path)"
    var process: pid_t = 0
    let arguments = unsafe cStrings(["/bin/bash", "-c", line])
    // The directories in which the test run keeps files that programs write for their user.
    let folders = ["HOME", "TMPDIR"].compactMap { name in
      ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
    }
    let environment = unsafe cStrings(
      [
        "devaccess=\(path)", "broken=\(path.dropLast(9))broken-system", "PATH=/usr/bin:/bin",
        "LC_ALL=C.UTF-8",
      ] + folders)
    defer {
      for index in unsafe arguments.indices { unsafe free(arguments[index]) }
      for index in unsafe environment.indices { unsafe free(environment[index]) }
    }
    let failure = unsafe ShellSignals.withAttributes { attributes in
      unsafe posix_spawn(&process, "/bin/bash", nil, attributes, arguments, environment)
    }
    guard failure == 0 else { throw TestFailure(description: "posix_spawn failed: \(failure)") }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw TestFailure(description: "waitpid failed: \(errno)") }
    }
    return Result(
      output: try output.contents(), errors: try errors.contents(),
      status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F))
  }
}
