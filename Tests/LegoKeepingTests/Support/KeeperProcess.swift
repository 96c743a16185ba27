import Glibc
import LinuxTestSupport

/// A process that keeps a number: the program `design-keeper`.
final class KeeperProcess {
  private let started: StartedProgram

  /// The program, built beside the test bundle.
  static let program: String? = BuiltProgram.path("design-keeper")

  /// Starts it.
  ///
  /// - Parameters:
  ///   - mode: What it does.
  ///   - words: What it does it with.
  ///   - signal: A signal that it is started to ignore: SIGINT.
  ///   - showsErrors: Whether its lines are those of standard error, too.
  /// - Throws: What keeps it from being started.
  init(
    _ mode: String, _ words: String..., ignoring signal: Int32? = nil, showsErrors: Bool = false
  ) throws {
    var line = [Self.program ?? "/design-keeper", mode] + words
    if signal != nil {
      line = ["/bin/sh", "-c", #"trap "" INT; exec "$@""#, "sh"] + line
    }
    if showsErrors {
      line = ["/bin/sh", "-c", #"exec "$@" 2>&1"#, "sh"] + line
    }
    started = try StartedProgram(line)
  }

  var number: pid_t { started.number }

  /// Reads the next line, and waits for it; `nil` at the end.
  func line() -> String? { started.line() }

  /// Sends it a signal.
  func send(_ signal: Int32) { started.send(signal) }

  /// Waits for its end.
  ///
  /// - Returns: The exit status, or 128 and the signal.
  func end() -> Int32 { started.end() }
}
